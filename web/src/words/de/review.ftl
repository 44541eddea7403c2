# Not reviewed: nobody but the translator has read these texts.

review-label = Analyse der Partie
review-men-of = Figuren von { chess-side }
review-all = Das Brett des Schiedsrichters
review-boards = Bretter
review-referee = Schiedsrichter
review-tabs-moves = Züge
review-tabs-known = Wissensstand
review-tabs-turns = Bewertung

review-turns-label = Was jeder Zug wert war
review-turns-open = Was waren die Züge von { chess-side } wert?
review-turns-about = Die Engine vergleicht in jedem Zug den ersten Versuch mit dem besten, in den Stellungen, die für { chess-side } möglich waren: nicht nach der wirklichen Stellung, sondern nach dem, was { chess-side } wusste.
review-turns-computing = Der Club berechnet, was die Züge wert waren. Das kann eine halbe Minute dauern.
review-turns-accuracy = Genauigkeit { $percent } %.
review-turns-no-value = Kein Zug hat einen Wert.
review-turns-marked = { $count ->
    [0] Keiner von { $all } Zügen verschenkte einen Bauern oder ein Matt.
    [one] Einer von { $all } Zügen verschenkte einen Bauern oder ein Matt:
   *[other] { $count } von { $all } Zügen verschenkten einen Bauern oder ein Matt:
  }
review-turns-curve = Wert der Züge von { chess-side } in Bauern
review-turns-mate = { $best } hätte das Matt in jeder möglichen Stellung erzwungen; gespielt wurde { $made }.
review-turns-cost = { $made } kostete im Mittel { $cost } Bauern: { $best } war besser.{ $legal ->
    [100] {""}
   *[other] {" "}Erlaubt war das in { $legal } % der möglichen Stellungen.
  }

review-turns-curves = Die Linie: was die Züge wert waren, nach dem, was { chess-side } wusste. Gestrichelt: die Figuren auf dem wahren Brett.

review-hears = { chess-side } hört
review-spectators-hear = Zuschauer hören
review-nothing = Nichts.
review-start = Der Anfang
review-moment = Dieser Moment:
review-files = Bilder und Dateien
review-picture = Bild:
review-png = Als PNG:
review-embed = In einer eigenen Seite:
review-share = Link teilen
review-by = { chess-side }: { $told }
review-step = { $attempt }, { $answer }

review-answers-moved = gespielt
review-answers-offered = angeboten
review-answers-drawn = Remis
review-answers-declined = abgelehnt
review-answers-withdrawn = zurückgezogen
review-answers-count = gefragt
review-answers-recap = gefragt

review-ends-resign = gibt auf
review-ends-flag = Zeit abgelaufen
review-ends-gone = hat die Partie verlassen
review-ends-abort = Partie abgebrochen
review-ends-end = das Ende

review-of = { $step } von { $all }
review-to-start = Zum Anfang
review-back = Einen Schritt zurück
review-on = Einen Schritt vor
review-to-end = Zum Ende
review-slider = Schritt
review-keys = Tasten: links und rechts; mit Umschalt von Zug zu Zug; Pos1 und Ende.
review-guesses = Meine Vermutungen bei diesem Schritt zeigen
review-scale = { $shown ->
    [any] Heatmap: wie wahrscheinlich eine Figur von { chess-side } auf einem Feld steht.
    [king] Heatmap: wie wahrscheinlich der König von { chess-side } auf einem Feld steht.
    [queen] Heatmap: wie wahrscheinlich eine Dame von { chess-side } auf einem Feld steht.
   *[other] Heatmap: wie wahrscheinlich ein { chess-man } von { chess-side } auf einem Feld steht.
  }
review-percent = { $percent ->
    [0] unter 5 %
   *[other] { $percent } %
  }
review-table = Züge und abgelehnte Versuche
review-table-label = Züge und abgelehnte Versuche: mit den Pfeiltasten blättern
review-turn = Zug
review-download = Herunterladen
review-study = Kommentieren

review-forms-pgn = PGN
review-forms-txt = Protokoll
review-forms-json = JSON

review-positions = { $one ->
    [true] { $figure } Stellung
   *[false] { $figure } Stellungen
  }
review-own-moves = { $moves ->
    [one] 1 eigenem Zug
   *[other] { $moves } eigenen Zügen
  }
