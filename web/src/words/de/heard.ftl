# Not reviewed: nobody but the translator has read these texts.

heard-start = { $side ->
    [white] Neue Partie. Du spielst mit Weiß.
    [black] Neue Partie. Du spielst mit Schwarz.
   *[none] Neue Partie.
  }
heard-moved = { chess-side } hat gezogen.
heard-you-moved = Du spielst { $move }.

# »Hell no« und »heck-no« sind Scherzworte ihrer Regelwerke.
heard-word = { $word ->
    [no] nein
    [repeat-no] nochmals nein
    [nonsense] Unsinn
    [hell-no] nie und nimmer
    [heck-no] ach was
    [impossible] unmöglich
    [yes] ja
    [none] keiner
    [try] versuch’s!
   *[some] es gibt welche
  }
heard-refused = { $word }: { $move }.
heard-told = { chess-side } hört: { $word }.
heard-any = { $you ->
    [true] Du fragst „Any?“ – { $word }
   *[false] { chess-side } fragt „Any?“ – { $word }
  }

heard-lost = { $man ->
    [queen] Deine Dame auf { $square } wurde geschlagen.
   *[other] Dein { chess-man } auf { $square } wurde geschlagen.
  }
heard-captured = { $man ->
    [queen] Dame
    [none] Figur
    [piece] Figur
   *[other] { chess-man }
  }
heard-captured-acc = { $man ->
    [none] eine Figur
    [piece] eine Figur
    [queen] eine Dame
    [pawn] einen Bauern
   *[other] einen { chess-man }
  }
heard-passing = { $passing ->
    [true] , en passant
   *[false] { "" }
  }
heard-capture = { $man ->
    [none] Auf { $square } wurde geschlagen{ heard-passing }.
   *[other] { heard-captured } auf { $square } geschlagen{ heard-passing }.
  }
heard-capture-somewhere = { heard-captured } geschlagen.
heard-you-capture = Du schlägst { heard-captured-acc } auf { $square }{ heard-passing }.
heard-you-capture-somewhere = Du schlägst { heard-captured-acc }.
heard-drop = { $you ->
    [true] Du setzt { heard-captured-acc } ein.
   *[false] { chess-side } setzt { heard-captured-acc } ein.
  }
heard-promotion = { $you ->
    [true] Du wandelst einen Bauern um.
   *[false] { chess-side } wandelt einen Bauern um.
  }

heard-direction = { $direction ->
    [rank] auf der Reihe
    [file] auf der Linie
    [long] auf der langen Diagonale
    [short] auf der kurzen Diagonale
   *[knight] durch einen Springer
  }
heard-check = Schach.
heard-check-from = Schach { heard-direction }.
heard-double-check = Doppelschach: { $directions }.

heard-whether = { $owner ->
    [you] Du hast einen Bauernschlag.
    [opponent] Dein Gegner hat einen Bauernschlag.
    [none] Bauernschlag möglich.
   *[other] { heard-owner } hat einen Bauernschlag.
  }
heard-no-tries = { $owner ->
    [you] Du hast keinen Bauernschlag.
    [opponent] Dein Gegner hat keinen Bauernschlag.
    [none] Kein Bauernschlag.
   *[other] { heard-owner } hat keinen Bauernschlag.
  }
heard-owner = { $owner ->
    [white] Weiß
   *[black] Schwarz
  }
heard-tries = { $count ->
    [one] { $count } Bauernschlag
   *[other] { $count } Bauernschläge
  }
heard-count = { $owner ->
    [you] Du hast { heard-tries }.
    [opponent] Dein Gegner hat { heard-tries }.
    [none] { heard-tries }.
   *[other] { heard-owner } hat { heard-tries }.
  }
heard-squares = { $owner ->
    [you] Du hast { heard-kind } { $squares }.
    [opponent] Dein Gegner hat { heard-kind } { $squares }.
    [none] { heard-kind-title } { $squares }.
   *[other] { heard-owner } hat { heard-kind } { $squares }.
  }
heard-kind = { $kind ->
    [from] { $count ->
        [one] einen Bauernschlag von
       *[other] Bauernschläge von
      }
    [single] einfache Bauernschläge auf
    [double] doppelte Bauernschläge auf
   *[on] { $count ->
        [one] einen Bauernschlag auf
       *[other] Bauernschläge auf
      }
  }
heard-kind-title = { $kind ->
    [from] { $count ->
        [one] Bauernschlag von
       *[other] Bauernschläge von
      }
    [single] Einfache Bauernschläge auf
    [double] Doppelte Bauernschläge auf
   *[on] { $count ->
        [one] Bauernschlag auf
       *[other] Bauernschläge auf
      }
  }

heard-turn = { chess-side } am Zug.
heard-rebuffs = { $you ->
    [true] Du fragst nach der Zahl der Ablehnungen: { heard-rebuffed }.
   *[false] { chess-side } fragt nach der Zahl der Ablehnungen: { heard-rebuffed }.
  }
heard-rebuffed = { $side ->
    [white] Schwarz wurde { heard-times } abgewiesen
   *[black] Weiß wurde { heard-times } abgewiesen
  }
heard-times = { $count ->
    [0] kein Mal
    [1] einmal
    [2] zweimal
   *[other] { $count }-mal
  }
heard-recap = { $you ->
    [true] Du lässt die Ansagen wiederholen: { $said }
   *[false] { chess-side } lässt die Ansagen wiederholen: { $said }
  }
heard-nothing-yet = Es wurde noch nichts angesagt.
heard-draw-offer = { $you ->
    [true] Du bietest Remis an.
   *[false] { chess-side } bietet Remis an.
  }
heard-draw-declined = { $you ->
    [true] Du lehnst das Remisangebot ab.
   *[false] { chess-side } lehnt das Remisangebot ab.
  }
heard-draw-withdrawn = { $you ->
    [true] Du ziehst dein Remisangebot zurück.
   *[false] { chess-side } zieht das Remisangebot zurück.
  }

heard-over = { heard-cause }: { heard-outcome }.
heard-agreed = Remis durch Einigung, 1/2-1/2.
heard-cause = { $reason ->
    [checkmate] Schachmatt
    [stalemate] Patt
    [stalemate-loses] Patt, hier als Verlust gewertet
    [insufficient] Das Material reicht nicht mehr zum Matt
    [threefold] Dreimalige Stellungswiederholung
    [fifty] Je fünfzig Züge ohne Schlag- oder Bauernzug
    [agreement] Einigung auf Remis
    [exhausted-tries] Die Schlagversuche mit Bauern sind in diesem Zug verbraucht, und kein anderer Zug ist erlaubt
    [resignation] { $side ->
        [none] Aufgabe
       *[other] { chess-side } gibt auf
      }
    [time] { $side ->
        [none] Die Zeit ist abgelaufen, aber die andere Seite hat nur noch den König
       *[other] Die Zeit von { chess-side } ist abgelaufen
      }
    [abandoned] { $side ->
        [none] Jemand hat die Partie verlassen
       *[other] { chess-side } hat die Partie verlassen
      }
   *[aborted] Die Partie wird abgebrochen
  }
heard-outcome = { $outcome ->
    [white] Weiß gewinnt, 1-0
    [black] Schwarz gewinnt, 0-1
    [draw] Remis, 1/2-1/2
   *[none] kein Ergebnis, *
  }
heard-you-won = { $reason ->
    [stalemate] Gewonnen: Dein Gegner ist patt, { $result }.
    [resignation] Gewonnen: Dein Gegner hat aufgegeben, { $result }.
    [time] Gewonnen: Die Zeit deines Gegners ist abgelaufen, { $result }.
    [exhausted-tries] Gewonnen: Drei Schlagversuche deines Gegners mit Bauern wurden abgelehnt, und kein anderer Zug ist erlaubt, { $result }.
    [abandoned] Gewonnen: Dein Gegner hat die Partie verlassen, { $result }.
   *[other] Gewonnen: { chess-cause }, { $result }.
  }
heard-you-lost = { $reason ->
    [stalemate] Verloren: Du bist patt, { $result }.
    [resignation] Verloren: Du hast aufgegeben, { $result }.
    [time] Verloren: Deine Zeit ist abgelaufen, { $result }.
    [exhausted-tries] Verloren: Deine drei Schlagversuche mit Bauern wurden abgelehnt, und kein anderer Zug ist erlaubt, { $result }.
    [abandoned] Verloren: Du hast die Partie verlassen, { $result }.
   *[other] Verloren: { chess-cause }, { $result }.
  }
