# Problems: the list, and a problem that is being solved.

problems-title = Problems
problems-page-title = Kriegspiel Umpire: problems
problems-problem-title = { $id }: mate in { $moves }
problems-lead = Force mate without seeing your opponent's men, whatever the opponent plays. In many problems the right answer is that no mate can be forced.
problems-today = Problem of the day
problems-solved-count = { $count ->
    [0] None solved yet on this device
    [one] 1 solved on this device
   *[other] { $count } solved on this device
  }
problems-streak = { $days ->
    [one] 1 day in a row
   *[other] { $days } days in a row
  }
problems-moves = Mate in
problems-every = Any
problems-theme = Theme
problems-theme-name = { $theme ->
    [composed] Composed problems
    [lone-king] From games: a lone king
   *[men] From games: several men
  }
problems-rules = Rules
problems-author = Composer
problems-count = { $count ->
    [one] 1 problem.
   *[other] { $count } problems.
  }
problems-nothing = No problem matches. Choose something else.
problems-solved = , solved
problems-pages = Pages
problems-earlier = Back
problems-later = More problems
problems-loading = Loading...
problems-missing = No such problem
problems-all = All problems

problems-heading = { chess-side }: mate in { $moves }?
problems-by = by { $author }
problems-like = More like this
problems-own-move = Your move { $n } of { $moves }
problems-over = The attempt is over
problems-rating = rating { $points }
problems-own-rating = yours { $points } ± { $deviation }{ $change }
problems-task = Can { chess-side } force mate within { $moves } own moves against each of the { $possible } positions that are possible after what was heard? A refused try costs no move.
problems-task-one = You see the opponent's men now, but not what they play. Can { chess-side } force mate within { $moves } own moves, whatever they play? A refused try costs no move.
problems-acts = This problem
problems-none = No forced mate
problems-hint = Hint
problems-solution = Solution
problems-back = Take back
problems-again = Try again
problems-again-spoken = The last attempt is taken back.
problems-begun-spoken = From the beginning.
problems-next = Next problem
problems-hint-none = No try works. Look for a position that defends against each.
problems-hint-any = Ask first.
problems-hint-man = Try something with the { chess-man } on { $square }.
problems-hint-drop = Drop a { chess-man }.
problems-impossible = { $move } is impossible: your own men show it.
problems-outcome-solved = Solved: mate!
problems-outcome-none = Right: no mate can be forced.
problems-outcome-refuted = No: now no mate can be forced in time.
problems-outcome-mate-exists = No: there is a forced mate.
problems-refuted-one = Against this position there is no forced mate:
problems-refuted-all = No way of playing mates in all { $count } positions, for example:
problems-refuted-choose = Positions
problems-refuted-position = Position { $n }
problems-board-refutes = A position that refutes. White: { $white }. Black: { $black }.
problems-board-theirs = {" "}The opponent's men: { $men }.
problems-board-stood = {" "}Where the opponent's men stood at first: { $men }.
problems-board-given = A position that the problem gives. White: { $white }. Black: { $black }.
problems-given-show-start = Start of the game
problems-given-show = Possible positions
problems-given-start = The game began in this position. Both players know it.
problems-given-one-of = Position { $n } of the { $count } that are possible.
problems-given-next = Next position
