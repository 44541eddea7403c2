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

review-hears = { chess-side } hears
review-spectators-hear = Spectators hear
review-nothing = Nothing.
review-start = The start
review-moment = This moment:
review-files = Pictures and files
review-picture = Picture:
review-png = As PNG:
review-embed = In a page of yours:
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
review-ends-end = the end

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
review-study = Comment

review-forms-pgn = PGN
review-forms-txt = Transcript
review-forms-json = JSON

review-positions = { $one ->
    [true] { $figure } position
   *[false] { $figure } positions
  }
review-own-moves = { $moves ->
    [one] 1 own move
   *[other] { $moves } own moves
  }
