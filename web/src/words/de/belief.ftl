# Not reviewed: nobody but the translator has read these texts.
# What could be known at a moment of a finished game.

belief-label = Was die Spieler wissen konnten
belief-open = Was konnte { chess-side } wissen?
belief-about = Das sind die Stellungen, die zu allem passen, was { chess-side } bis dahin gehört und versucht hatte. Anderes Wissen wird nicht benutzt.
belief-player = Seite
belief-show = Zeigen
belief-kinds-any = Alle Figuren
belief-kinds-king = König
belief-kinds-queen = Dame
belief-kinds-rook = Türme
belief-kinds-bishop = Läufer
belief-kinds-knight = Springer
belief-kinds-pawn = Bauern
belief-heat-map = Heatmap auf dem Brett von { chess-side }
belief-again = Noch einmal versuchen
belief-computing = Die Stellungen werden berechnet. Das kann einige Sekunden dauern.
belief-progress = Berechnete Momente
belief-waits = Wartet auf andere Partien
belief-done = { $done } von { $all } Momenten
belief-cancel = Abbrechen
belief-not-computed = nicht berechnet
belief-at-step = bei Schritt { $step }
belief-graph = Mögliche Stellungen für { chess-side } nach Schritten, auf einer logarithmischen Skala: { $told } bei Schritt { $step }{ $most }
belief-most = ; die meisten bei Schritt { $step }, { $told }
belief-ended = Die Stellungen werden nicht bis zum Ende der Partie berechnet, weil das zu lange dauern würde.
belief-sampled = Es waren zu viele Stellungen, um sie alle aufzuzählen. Seitdem wird eine Stichprobe von höchstens { $limit } verfolgt; die Zahlen sind deshalb Schätzungen. Die sicheren Tatsachen gelten in allen Stellungen.
belief-superset = Einige dieser Stellungen sind vielleicht unmöglich, weil die Partie durch Stellungswiederholung oder die 50-Züge-Regel schon zu Ende gewesen wäre.
belief-envelope = Von der Stichprobe ist keine Stellung übrig. Nur die möglichen Felder sind bekannt.
belief-certain = Sicheres über die Figuren von { chess-side }
belief-certain-list = Was { chess-side } sicher wusste
belief-nothing = Nichts.
belief-likeliest = { $kind }, wahrscheinlichste Felder: { $squares }.
belief-unknown = eine unbekannte Zahl von Stellungen
belief-more-than = mehr als { $most } Stellungen
belief-count = { $regime ->
    [sampled] etwa { review-positions }
    [superset] höchstens { review-positions }
   *[exact] { review-positions }
  }
belief-under = unter 1
belief-over = > 99
belief-percent = { $square } { $percent } %
belief-missed-mates = { chess-side } hat ein erzwungenes Matt verpasst:
belief-step = Schritt { $step }
belief-missed = Im letzten Zug wurde ein erzwungenes Matt in { review-own-moves } verpasst.
belief-mate = Matt in { review-own-moves } ist erzwingbar: { $line }.
belief-none-left = keine übrig
belief-and-more = {" "}und { $more } weitere
belief-then = ; dann{" "}
belief-if-refused = , falls abgelehnt{" "}
belief-solve-moves = Kann { chess-side } Matt erzwingen, höchstens in
belief-solve = Den Löser fragen
belief-solving = Der Löser rechnet.
belief-solved = Matt in höchstens { review-own-moves } ist erzwingbar: { $line }.
belief-solved-none = Matt in höchstens { review-own-moves } ist nicht erzwingbar, nicht einmal gegen diese Stellungen allein:
belief-undecided = Nicht entschieden: Zu viele Stellungen sind möglich, oder die Suche dauert zu lange.
