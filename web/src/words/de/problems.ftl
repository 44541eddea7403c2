# Not reviewed: nobody but the translator has read these texts.
# Problems: the list, and a problem that is being solved.

problems-title = Aufgaben
problems-page-title = Kriegspiel Umpire: Aufgaben
problems-problem-title = { $id }: Matt in { $moves }
problems-lead = Erzwinge das Matt, ohne die Figuren des Gegners zu sehen, was auch immer der Gegner spielt. Bei vielen Aufgaben ist die richtige Antwort, dass sich kein Matt erzwingen lässt.
problems-today = Aufgabe des Tages
problems-solved-count = { $count ->
    [0] Auf diesem Gerät ist noch keine gelöst
    [one] 1 auf diesem Gerät gelöst
   *[other] { $count } auf diesem Gerät gelöst
  }
problems-streak = { $days ->
    [one] 1 Tag in Folge
   *[other] { $days } Tage in Folge
  }
problems-moves = Matt in
problems-every = Alle
problems-theme = Thema
problems-theme-name = { $theme ->
    [composed] Komponierte Aufgaben
    [lone-king] Aus Partien: blanker König
   *[men] Aus Partien: mehrere Figuren
  }
problems-rules = Regeln
problems-author = Komponist
problems-count = { $count ->
    [one] 1 Aufgabe.
   *[other] { $count } Aufgaben.
  }
problems-nothing = Keine Aufgabe passt. Wähl etwas anderes.
problems-solved = , gelöst
problems-pages = Seiten
problems-earlier = Zurück
problems-later = Weitere Aufgaben
problems-loading = Wird geladen …
problems-missing = Diese Aufgabe gibt es nicht
problems-all = Alle Aufgaben

problems-heading = { chess-side }: Matt in { $moves }?
problems-by = von { $author }
problems-like = Ähnliche Aufgaben
problems-own-move = Dein Zug { $n } von { $moves }
problems-over = Der Lösungsversuch ist zu Ende
problems-rating = Wertung { $points }
problems-own-rating = deine { $points } ± { $deviation }{ $change }
problems-task = Kann { chess-side } in höchstens { problems-own-moves } das Matt gegen jede der { $possible } Stellungen erzwingen, die nach dem Gehörten möglich sind? Ein abgelehnter Versuch kostet keinen Zug.
problems-own-moves = { $moves ->
    [one] 1 eigenem Zug
   *[other] { $moves } eigenen Zügen
  }
problems-task-one = Du siehst jetzt die Figuren des Gegners, aber nicht, was er spielt. Kann { chess-side } in höchstens { problems-own-moves } das Matt erzwingen, was auch immer er spielt? Ein abgelehnter Versuch kostet keinen Zug.
problems-acts = Diese Aufgabe
problems-none = Kein erzwungenes Matt
problems-hint = Hinweis
problems-solution = Lösung
problems-back = Zurücknehmen
problems-again = Noch einmal
problems-again-spoken = Der letzte Versuch ist zurückgenommen.
problems-begun-spoken = Von vorn.
problems-next = Nächste Aufgabe
problems-hint-none = Kein Versuch genügt. Such eine Stellung, die sich gegen jeden verteidigt.
problems-hint-any = Frag zuerst.
problems-hint-man = { $man ->
    [queen] Versuch etwas mit der Dame auf { $square }.
    [pawn] Versuch etwas mit dem Bauern auf { $square }.
   *[other] Versuch etwas mit dem { chess-man } auf { $square }.
  }
problems-hint-drop = { $man ->
    [queen] Setz eine Dame ein.
    [pawn] Setz einen Bauern ein.
   *[other] Setz einen { chess-man } ein.
  }
problems-impossible = { $move } ist unmöglich: Das zeigen deine eigenen Figuren.
problems-outcome-solved = Gelöst: matt!
problems-outcome-none = Richtig: Das Matt lässt sich nicht erzwingen.
problems-outcome-refuted = Nein: Jetzt lässt sich das Matt nicht mehr rechtzeitig erzwingen.
problems-outcome-mate-exists = Nein: Es gibt ein erzwungenes Matt.
problems-refuted-one = Gegen diese Stellung gibt es kein erzwungenes Matt:
problems-refuted-all = Keine Spielweise setzt gegen alle { $count } Stellungen matt, zum Beispiel:
problems-refuted-choose = Stellungen
problems-refuted-position = Stellung { $n }
problems-board-refutes = Eine Stellung, die widerlegt. Weiß: { $white }. Schwarz: { $black }.
problems-board-theirs = {" "}Die Figuren des Gegners: { $men }.
problems-board-stood = {" "}Wo die Figuren des Gegners zuerst standen: { $men }.
problems-board-given = Eine Stellung, die die Aufgabe nennt. Weiß: { $white }. Schwarz: { $black }.
problems-given-show-start = Anfang der Partie
problems-given-show = Mögliche Stellungen
problems-given-start = Mit dieser Stellung begann die Partie. Beide Spieler kennen sie.
problems-given-one-of = Stellung { $n } von den { $count } möglichen.
problems-given-next = Nächste Stellung
