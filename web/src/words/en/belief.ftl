# What could be known at a moment of a finished game.

belief-label = What each player could know
belief-open = What could { chess-side } know?
belief-about = These are the positions that agree with everything that { chess-side } had heard and tried. No other information is used.
belief-player = Player
belief-show = Show
belief-kinds-any = All men
belief-kinds-king = King
belief-kinds-queen = Queen
belief-kinds-rook = Rooks
belief-kinds-bishop = Bishops
belief-kinds-knight = Knights
belief-kinds-pawn = Pawns
belief-heat-map = Heat map on { chess-side }'s board
belief-again = Try again
belief-computing = Computing the positions. This can take some seconds.
belief-progress = Moments computed
belief-waits = Waiting for other games
belief-done = { $done } of { $all } moments
belief-cancel = Cancel
belief-not-computed = not computed
belief-at-step = at step { $step }
belief-graph = Possible positions for { chess-side } by step, on a logarithmic scale: { $told } at step { $step }{ $most }
belief-most = ; most at step { $step }, { $told }
belief-ended = The positions are not computed to the end of the game, because it would take too long.
belief-sampled = There were too many positions to list them all. Since then, a sample of at most { $limit } has been followed, so the numbers are estimates. The certain facts hold in all positions.
belief-superset = Some of these positions may be impossible, because repetition or the fifty-move rule would have ended the game.
belief-envelope = No position of the sample is left. Only the possible squares are known.
belief-certain = Certain about { chess-side }'s men
belief-certain-list = What { chess-side } knew for certain
belief-nothing = Nothing.
belief-likeliest = { $kind }, most probable squares: { $squares }.
belief-unknown = an unknown number of positions
belief-more-than = more than { $most } positions
belief-count = { $regime ->
    [sampled] about { review-positions }
    [superset] at most { review-positions }
   *[exact] { review-positions }
  }
belief-under = under 1
belief-over = > 99
belief-percent = { $square } { $percent } %
belief-missed-mates = { chess-side } missed a forced mate:
belief-step = step { $step }
belief-missed = A forced mate in { review-own-moves } was missed in the last turn.
belief-mate = Mate in { review-own-moves } can be forced: { $line }.
belief-none-left = none is left
belief-and-more = , and { $more } more
belief-then = ; then{" "}
belief-if-refused = , if refused{" "}
belief-solve-moves = Can { chess-side } force mate within
belief-solve = Ask the solver
belief-solving = The solver is at work.
belief-solved = Mate within { review-own-moves } can be forced: { $line }.
belief-solved-none = Mate within { review-own-moves } cannot be forced. There is none even against these positions alone:
belief-undecided = Not decided: too many positions are possible, or the search takes too long.
