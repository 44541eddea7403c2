# The review of a finished game: three boards, and what each player could know.

review-label = Review of the game
review-men-of = { chess-side }'s men
review-all = The referee's board
review-boards = Boards
review-referee = Referee
review-tabs-moves = Moves
review-tabs-known = What could be known
review-tabs-turns = Accuracy

review-turns-label = What each turn was worth
review-turns-open = What were { chess-side }'s turns worth?
review-turns-about = For each turn, the engine compares the first attempt with the best one in the positions that were possible for { chess-side }: not given the truth, given what { chess-side } knew.
review-turns-computing = The club computes the values of the turns. This can take half a minute.
review-turns-accuracy = Accuracy { $percent } %.
review-turns-no-value = No turn has a value.
review-turns-marked = { $count ->
    [0] No turn of { $all } gave away a pawn or a mate.
    [one] One turn of { $all } gave away a pawn or a mate:
   *[other] { $count } turns of { $all } gave away a pawn or a mate:
  }
review-turns-curve = Value of the turns of { chess-side }, in pawns
review-turns-mate = { $best } forced mate, whatever the position was; { $made } was played.
review-turns-cost = { $made } cost { $cost } pawns on average: { $best } was better.{ $legal ->
    [100] {""}
   *[other] {" "}It was legal in { $legal } % of the positions that were possible.
  }

review-turns-curves = The line: what the turns were worth, given what { chess-side } knew. Dashed: the men on the true board.

review-lapse-retaken = Where { $made } captured, the man could be retaken in { $percent } % of the positions.
review-lapse-pawn-try = In every position that was possible some pawn capture was legal, and { $best } is one.
review-lapse-draw = In { $percent } % of the positions { $made } ends the game in a draw.
review-lapse-free = { $best } could have been tried first for nothing: in { $percent } % of the positions the answer is no, and nobody else hears it.
review-lapse-ask-any = Any? should have been asked first: in { $percent } % of the positions the answer is yes.
review-lapse-known = { $percent ->
    [100] In every position that was possible a { chess-man } stood on { $square }
   *[other] In { $percent } % of the positions a { chess-man } stood on { $square }
  }: { $best } goes there.

review-retry-open = { $own ->
    [true] Learn from my mistakes
   *[false] Learn from { chess-side }'s mistakes
  }
review-retry-title = Kriegspiel Umpire: learn from mistakes
review-retry-heading = Mistake { $n } of { $all }
review-retry-about = Turn { $turn } of { chess-side }, with what { chess-side } had heard. The attempts are valued in the positions that were possible, each by its probability, not in the true one.
review-retry-task = { $made } was played here. It cost { $cost } pawns on average. What is better?
review-retry-task-mate = { $made } was played here. But mate could be forced, whatever the position was. How?
review-retry-standing = Try this turn again
review-retry-answer = What would have happened
review-retried-solved = This is no mistake.
review-retried-refuted = This is a mistake, too.
review-retry-show = Show the best
review-retry-next = Next mistake
review-retry-back = Back to the game
review-retry-none = No turn gave away a pawn or a mate.
review-retry-any = { $played ->
    [100] The answer is yes in every position that was possible.
    [0] The answer is no in every position that was possible.
   *[other] The answer is yes in { $played } % of the positions that were possible.
  }
review-retry-played = { $played ->
    [100] It is played in every position that was possible.
    [0] It is refused in nearly every position that was possible, or in all.
   *[other] It is played in { $played } % of the positions that were possible, and refused in { $refused } %.
  }
review-retry-captures = It captures in { $captures } %, and in { $retaken } % the opponent can retake.
review-retry-exposed = In { $exposed } % the opponent can capture the man at once.
review-retry-checks = It gives check in { $checks } %.
review-retry-mates = It mates in { $mates } %.
review-retry-draws = In { $draws } % the game ends in a draw.
review-retry-worth = It is worth { $value } pawns on average; the best attempts, { $most }.
review-retry-is-best = Nothing is better.
review-retry-best = Best: { $best }.
review-retry-best-any = Best: Any? first; after the answer no, { $best }.
review-retry-mating = It forces mate, whatever the position was.
review-retry-mate = { $best } forces mate, whatever the position was.

review-hears = { chess-side } hears
review-spectators-hear = Spectators hear
review-nothing = Nothing.
review-start = The start
review-moment = This moment:
review-picture = Picture:
review-share = Share the link
review-by = { chess-side }: { $told }
review-step = { $attempt }, { $answer }

review-answers-moved = played
review-answers-offered = offered
review-answers-drawn = drawn
review-answers-declined = declined
review-answers-withdrawn = withdrawn
review-answers-count = asked
review-answers-recap = asked

review-ends-resign = resigns
review-ends-flag = out of time
review-ends-gone = left the game
review-ends-abort = game aborted

review-of = { $step } of { $all }
review-to-start = To the start
review-back = One step back
review-on = One step forward
review-to-end = To the end
review-slider = Step
review-keys = Keys: left and right; with Shift from move to move; Home and End.
review-guesses = Show my guesses of this step
review-scale = { $shown ->
    [any] Heat map: how probable a man of { chess-side } is on a square.
    [king] Heat map: how probable the king of { chess-side } is on a square.
   *[other] Heat map: how probable a { chess-man } of { chess-side } is on a square.
  }
review-percent = { $percent ->
    [0] under 5 %
   *[other] { $percent } %
  }
review-table = Moves and refused tries
review-table-label = Moves and refused tries: scroll with the arrow keys
review-turn = Turn
review-download = Download

review-forms-pgn = PGN
review-forms-txt = Transcript
review-forms-json = JSON

review-belief-label = What each player could know
review-belief-open = What could { chess-side } know?
review-belief-about = These are the positions that agree with everything that { chess-side } had heard and tried. No other information is used.
review-belief-player = Player
review-belief-show = Show
review-belief-kinds-any = All men
review-belief-kinds-king = King
review-belief-kinds-queen = Queen
review-belief-kinds-rook = Rooks
review-belief-kinds-bishop = Bishops
review-belief-kinds-knight = Knights
review-belief-kinds-pawn = Pawns
review-belief-heat-map = Heat map on { chess-side }'s board
review-belief-again = Try again
review-belief-computing = Computing the positions. This can take some seconds.
review-belief-progress = Moments computed
review-belief-waits = Waiting for other games
review-belief-done = { $done } of { $all } moments
review-belief-cancel = Cancel
review-belief-not-computed = not computed
review-belief-at-step = at step { $step }
review-belief-graph = Possible positions for { chess-side } by step, on a logarithmic scale: { $told } at step { $step }{ $most }
review-belief-most = ; most at step { $step }, { $told }
review-belief-ended = The positions are not computed to the end of the game, because it would take too long.
review-belief-sampled = There were too many positions to list them all. Since then, a sample of at most { $limit } has been followed, so the numbers are estimates. The certain facts hold in all positions.
review-belief-superset = Some of these positions may be impossible, because repetition or the fifty-move rule would have ended the game.
review-belief-envelope = No position of the sample is left. Only the possible squares are known.
review-belief-certain = Certain about { chess-side }'s men
review-belief-certain-list = What { chess-side } knew for certain
review-belief-nothing = Nothing.
review-belief-likeliest = { $kind }, most probable squares: { $squares }.
review-belief-unknown = an unknown number of positions
review-belief-more-than = more than { $most } positions
review-belief-count = { $regime ->
    [sampled] about { review-positions }
    [superset] at most { review-positions }
   *[exact] { review-positions }
  }
review-belief-under = under 1
review-belief-over = > 99
review-belief-percent = { $square } { $percent } %
review-belief-missed-mates = { chess-side } missed a forced mate:
review-belief-step = step { $step }
review-belief-missed = A forced mate in { review-own-moves } was missed in the last turn.
review-belief-mate = Mate in { review-own-moves } can be forced: { $line }.
review-belief-none-left = none is left
review-belief-and-more = , and { $more } more
review-positions = { $one ->
    [true] { $figure } position
   *[false] { $figure } positions
  }
review-own-moves = { $moves ->
    [one] 1 own move
   *[other] { $moves } own moves
  }
review-belief-then = ; then{" "}
