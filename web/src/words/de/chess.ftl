# Not reviewed: nobody but the translator has read these texts.

chess-side = { $side ->
    [white] Weiß
   *[black] Schwarz
  }
chess-man = { $man ->
    [king] König
    [queen] Dame
    [rook] Turm
    [bishop] Läufer
    [knight] Springer
   *[pawn] Bauer
  }
chess-man-title = { chess-man }
chess-men-title = { $man ->
    [king] Könige
    [queen] Damen
    [rook] Türme
    [bishop] Läufer
    [knight] Springer
   *[pawn] Bauern
  }
chess-counted = { $count ->
    [one] { chess-man }
   *[other] { $count } { chess-men-title }
  }

# King, queen, rook, bishop, knight, pawn.
chess-letters = KDTLSB

chess-days = { $count ->
    [one] 1 Tag
   *[other] { $count } Tage
  }
chess-hours = { $count ->
    [one] 1 Stunde
   *[other] { $count } Stunden
  }
chess-minutes = { $count } min
chess-seconds = { $count } s
chess-clock-fischer = { $initial } + { $increment } pro Zug
chess-clock-plain = je { $initial }
chess-clock-each = { chess-days } pro Zug
chess-clock-days = { $initial } + { $increment } pro Zug, höchstens { $cap }
chess-clock-left = { $days } T { $hours } h
chess-clock-unlimited = ohne Uhr

chess-step = { $from } nach { $to }
chess-promoted = { $from } nach { $to }, { chess-man }
chess-dropped = { chess-man } auf { $to } eingesetzt

chess-aborted = Partie abgebrochen
chess-drawn = Remis
chess-you-won = Gewonnen
chess-you-lost = Verloren
chess-won = { chess-side } hat gewonnen
chess-cause = { $reason ->
    [checkmate] Schachmatt
    [stalemate] Patt
    [insufficient] ungenügendes Material
    [threefold] dreimalige Stellungswiederholung
    [fifty] 50-Züge-Regel
    [resignation] Aufgabe
    [agreement] durch Einigung
    [time] Zeit abgelaufen
    [exhausted-tries] drei Schlagversuche mit Bauern wurden abgelehnt
    [abandoned] jemand hat die Partie verlassen
   *[aborted] { "" }
  }
