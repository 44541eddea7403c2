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

review-lapse-retaken = Wo { $made } schlug, konnte in { $percent } % der Stellungen zurückgeschlagen werden.
review-lapse-pawn-try = In jeder möglichen Stellung war ein Bauernschlag legal, und { $best } ist einer.
review-lapse-draw = In { $percent } % der Stellungen beendet { $made } die Partie mit Remis.
review-lapse-free = { $best } zuerst zu versuchen kostete nichts: In { $percent } % der Stellungen ist die Antwort „no“, und niemand sonst hört sie.
review-lapse-ask-any = Any? hätte zuerst gefragt werden sollen: In { $percent } % der Stellungen ist die Antwort ja.
review-lapse-known = { $percent ->
    [100] In jeder möglichen Stellung
   *[other] In { $percent } % der Stellungen
  } stand auf { $square } { $man ->
    [queen] eine Dame
    [rook] ein Turm
    [bishop] ein Läufer
    [knight] ein Springer
    [king] ein König
   *[pawn] ein Bauer
  }: { $best } geht dorthin.

review-retry-open = { $own ->
    [true] Aus meinen Fehlern lernen
   *[false] Aus den Fehlern von { chess-side } lernen
  }
review-retry-title = Kriegspiel Umpire: aus Fehlern lernen
review-retry-heading = Fehler { $n } von { $all }
review-retry-about = Zug { $turn } von { chess-side }, mit dem, was { chess-side } gehört hatte. Die Versuche werden in den Stellungen bewertet, die möglich waren, jede nach ihrer Wahrscheinlichkeit, nicht in der wahren.
review-retry-task = Hier wurde { $made } gespielt. Das kostete im Mittel { $cost } Bauern. Was ist besser?
review-retry-task-mate = Hier wurde { $made } gespielt. Aber das Matt ließ sich erzwingen, wo auch immer alles stand. Wie?
review-retry-standing = Versuche diesen Zug noch einmal
review-retry-answer = Was geschehen wäre
review-retried-solved = Das ist kein Fehler.
review-retried-refuted = Auch das ist ein Fehler.
review-retry-show = Den besten zeigen
review-retry-next = Nächster Fehler
review-retry-back = Zurück zur Partie
review-retry-none = Kein Zug gab einen Bauern oder ein Matt her.
review-retry-any = { $played ->
    [100] In jeder möglichen Stellung ist die Antwort ja.
    [0] In jeder möglichen Stellung ist die Antwort nein.
   *[other] In { $played } % der möglichen Stellungen ist die Antwort ja.
  }
review-retry-played = { $played ->
    [100] Er wird in jeder möglichen Stellung ausgeführt.
    [0] Er wird in fast jeder möglichen Stellung abgelehnt, oder in jeder.
   *[other] Er wird in { $played } % der möglichen Stellungen ausgeführt und in { $refused } % abgelehnt.
  }
review-retry-captures = Er schlägt in { $captures } %, und in { $retaken } % kann der Gegner zurückschlagen.
review-retry-exposed = In { $exposed } % kann der Gegner die Figur sofort schlagen.
review-retry-checks = Er gibt in { $checks } % Schach.
review-retry-mates = Er setzt in { $mates } % matt.
review-retry-draws = In { $draws } % endet die Partie mit Remis.
review-retry-worth = Er ist im Mittel { $value } Bauern wert, die besten Versuche { $most }.
review-retry-is-best = Nichts ist besser.
review-retry-best = Am besten: { $best }.
review-retry-best-any = Am besten: zuerst Any?; nach der Antwort nein { $best }.
review-retry-mating = Er erzwingt das Matt, wo auch immer alles stand.
review-retry-mate = { $best } erzwingt das Matt, wo auch immer alles stand.

review-hears = { chess-side } hört
review-spectators-hear = Zuschauer hören
review-nothing = Nichts.
review-start = Der Anfang
review-moment = Dieser Moment:
review-picture = Bild:
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

review-forms-pgn = PGN
review-forms-txt = Protokoll
review-forms-json = JSON

review-belief-label = Was die Spieler wissen konnten
review-belief-open = Was konnte { chess-side } wissen?
review-belief-about = Das sind die Stellungen, die zu allem passen, was { chess-side } bis dahin gehört und versucht hatte. Anderes Wissen wird nicht benutzt.
review-belief-player = Seite
review-belief-show = Zeigen
review-belief-kinds-any = Alle Figuren
review-belief-kinds-king = König
review-belief-kinds-queen = Dame
review-belief-kinds-rook = Türme
review-belief-kinds-bishop = Läufer
review-belief-kinds-knight = Springer
review-belief-kinds-pawn = Bauern
review-belief-heat-map = Heatmap auf dem Brett von { chess-side }
review-belief-again = Noch einmal versuchen
review-belief-computing = Die Stellungen werden berechnet. Das kann einige Sekunden dauern.
review-belief-progress = Berechnete Momente
review-belief-waits = Wartet auf andere Partien
review-belief-done = { $done } von { $all } Momenten
review-belief-cancel = Abbrechen
review-belief-not-computed = nicht berechnet
review-belief-at-step = bei Schritt { $step }
review-belief-graph = Mögliche Stellungen für { chess-side } nach Schritten, auf einer logarithmischen Skala: { $told } bei Schritt { $step }{ $most }
review-belief-most = ; die meisten bei Schritt { $step }, { $told }
review-belief-ended = Die Stellungen werden nicht bis zum Ende der Partie berechnet, weil das zu lange dauern würde.
review-belief-sampled = Es waren zu viele Stellungen, um sie alle aufzuzählen. Seitdem wird eine Stichprobe von höchstens { $limit } verfolgt; die Zahlen sind deshalb Schätzungen. Die sicheren Tatsachen gelten in allen Stellungen.
review-belief-superset = Einige dieser Stellungen sind vielleicht unmöglich, weil die Partie durch Stellungswiederholung oder die 50-Züge-Regel schon zu Ende gewesen wäre.
review-belief-envelope = Von der Stichprobe ist keine Stellung übrig. Nur die möglichen Felder sind bekannt.
review-belief-certain = Sicheres über die Figuren von { chess-side }
review-belief-certain-list = Was { chess-side } sicher wusste
review-belief-nothing = Nichts.
review-belief-likeliest = { $kind }, wahrscheinlichste Felder: { $squares }.
review-belief-unknown = eine unbekannte Zahl von Stellungen
review-belief-more-than = mehr als { $most } Stellungen
review-belief-count = { $regime ->
    [sampled] etwa { review-positions }
    [superset] höchstens { review-positions }
   *[exact] { review-positions }
  }
review-belief-under = unter 1
review-belief-over = > 99
review-belief-percent = { $square } { $percent } %
review-belief-missed-mates = { chess-side } hat ein erzwungenes Matt verpasst:
review-belief-step = Schritt { $step }
review-belief-missed = Im letzten Zug wurde ein erzwungenes Matt in { review-own-moves } verpasst.
review-belief-mate = Matt in { review-own-moves } ist erzwingbar: { $line }.
review-belief-none-left = keine übrig
review-belief-and-more = {" "}und { $more } weitere
review-positions = { $one ->
    [true] { $figure } Stellung
   *[false] { $figure } Stellungen
  }
review-own-moves = { $moves ->
    [one] 1 eigenem Zug
   *[other] { $moves } eigenen Zügen
  }
review-belief-then = ; dann{" "}
