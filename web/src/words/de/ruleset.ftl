# Not reviewed: nobody but the translator has read these texts.

ruleset-rand = RAND, Santa Monica, 1950
ruleset-rand-ladder = RAND mit Regel 20: Patt verliert
ruleset-umpire = UMPIRE, das Programm von 1965
ruleset-cincinnati = Cincinnati-Regeln, 1977
ruleset-ks = ks, Berkeley Unix, 1986
ruleset-ks_a = ks mit Option a: Schlagen wird angesagt
ruleset-ks_p = ks mit Option p: Bauernschläge gezählt, Schlagversuche begrenzt
ruleset-ks_ap = ks mit den Optionen a und p
ruleset-bodlaender = Chess Variant Pages, 1995
ruleset-western = KSREF, westliche Regeln, 1975
ruleset-eastern = KSREF, östliche Regeln, 1975
ruleset-english = Englische Regeln, The Gambit, 1933
ruleset-berkeley = Berkeley, um 2004
ruleset-berkeley-any = Berkeley mit öffentlichem „Any?“
ruleset-wild16 = Wild 16, Internet Chess Club
ruleset-crazykrieg = Crazyhouse-Kriegspiel
