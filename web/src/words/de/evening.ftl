# Not reviewed: nobody but the translator has read these texts.

evening-title = Abende
evening-page-title = { $name } – Kriegspiel Umpire
evening-about = Ein Abend ist eine Stunde, in der alle, die mitmachen, eine Partie nach der anderen spielen. Wer übrig bleibt, spielt gegen ein Programm. So geht ein Abend schon zu zweit oder allein.
evening-none = Kein Abend ist geplant. Lege den ersten an.
evening-planned = Geplant und im Gang
evening-past = Vergangene Abende
evening-all = Abende
evening-next = Nächster Abend
evening-next-of = Nächste Partie von „{ $name }“
evening-by = von { $name }
evening-loading = Wird geladen ...

evening-status = { $status ->
    [planned] Beginnt { $in }
    [running] Im Gang: endet { $in }
    [ending] Die letzten Partien laufen
   *[over] Vorbei
  }
evening-players = { $count ->
    [0] noch niemand dabei
    [one] ein Spieler
   *[other] { $count } Spieler
  }
evening-kind = { $kind ->
    [round-robin] Rundenturnier
   *[arena] Arena-Stunde
  }
evening-kind-about = { $kind ->
    [round-robin] Alle spielen einmal gegeneinander. Wer in einer Runde keinen Gegner hat, spielt gegen ein Programm; nach dem Ende beginnt keine Runde mehr.
   *[arena] Wer frei ist, bekommt die nächste Partie: Komm und geh, wann du willst.
  }
evening-length = { $minutes } Minuten

evening-join = Mitmachen
evening-again = Nächste Partie
evening-leave = Aussteigen
evening-open = Zurück zu deiner Partie
evening-see = Zur Tabelle
evening-cancel = Abend absagen
evening-calendar = Kalenderdatei
evening-you = { $you ->
    [waiting] Du wartest auf eine Partie: Sie öffnet sich hier.
    [playing] Deine Partie läuft.
   *[away] Du bekommst jetzt keine Partie.
  }
evening-you-planned = Du bist dabei. Deine erste Partie öffnet sich hier, wenn der Abend beginnt.

evening-table = Tabelle
evening-table-none = Noch ist niemand dabei.
evening-table-place = Platz
evening-table-player = Spieler
evening-table-points = Punkte
evening-table-won = Siege
evening-table-games = Partien
evening-state = { $state ->
    [waiting] frei
    [playing] spielt
   *[away] nicht da
  }
evening-table-yours = du
evening-scoring = Zwei Punkte für einen Sieg, einer für ein Remis, keiner für eine Niederlage; bei gleichen Punkten zählen die Siege. Eine Partie gegen ein Programm zählt wie jede andere, eine abgebrochene zählt nicht. Eine Partie, die am Ende noch läuft, zählt, wenn sie innerhalb von 15 Minuten endet.
evening-running = Laufende Partien
evening-finished = Letzte Partien

evening-make = Einen Abend anlegen
evening-make-about = Alle hier können mitmachen. Er beginnt und endet von selbst; bis zum Beginn kannst du ihn absagen.
evening-make-guest = Um einen Abend anzulegen, melde dich an oder lege ein Konto an.
evening-make-kind = Art
evening-make-name = Name
evening-make-example = Kriegspiel am Donnerstag
evening-make-begins = Beginn (deine Zeit)
evening-make-minutes = Länge
evening-make-rules = Regeln
evening-make-time = Zeit für jede Partie
evening-make-rated = Gewertet
evening-make-date = Wähle Tag und Uhrzeit.

evening-hall-title = Kriegspiel Umpire: das Brett des Schiedsrichters
evening-hall-when = { $delay ->
    [0] jetzt
    [1] vor einer Minute
   *[other] vor { $delay } Minuten
  }
evening-hall-review = Die Partie ist vorbei: auf drei Brettern ansehen
