# What was wrong in a turn, and trying it again.

mistake-lapse-retaken = Where { $made } captured, the man could be retaken in { $percent } % of the positions.
mistake-lapse-pawn-try = In every position that was possible some pawn capture was legal, and { $best } is one.
mistake-lapse-draw = In { $percent } % of the positions { $made } ends the game in a draw.
mistake-lapse-free = { $best } could have been tried first for nothing: in { $percent } % of the positions the answer is no, and nobody else hears it.
mistake-lapse-ask-any = Any? should have been asked first: in { $percent } % of the positions the answer is yes.
mistake-lapse-known = { $percent ->
    [100] In every position that was possible a { chess-man } stood on { $square }
   *[other] In { $percent } % of the positions a { chess-man } stood on { $square }
  }: { $best } goes there.
mistake-retry-open = { $own ->
    [true] Learn from my mistakes
   *[false] Learn from { chess-side }'s mistakes
  }
mistake-retry-title = Kriegspiel Umpire: learn from mistakes
mistake-retry-heading = Mistake { $n } of { $all }
mistake-retry-about = Turn { $turn } of { chess-side }, with what { chess-side } had heard. The attempts are valued in the positions that were possible, each by its probability, not in the true one.
mistake-retry-task = { $made } was played here. It cost { $cost } pawns on average. What is better?
mistake-retry-task-mate = { $made } was played here. But mate could be forced, whatever the position was. How?
mistake-retry-standing = Try this turn again
mistake-retry-answer = What would have happened
mistake-retried-solved = This is no mistake.
mistake-retried-refuted = This is a mistake, too.
mistake-retry-show = Show the best
mistake-retry-next = Next mistake
mistake-retry-back = Back to the game
mistake-retry-none = No turn gave away a pawn or a mate.
mistake-retry-any = { $played ->
    [100] The answer is yes in every position that was possible.
    [0] The answer is no in every position that was possible.
   *[other] The answer is yes in { $played } % of the positions that were possible.
  }
mistake-retry-played = { $played ->
    [100] It is played in every position that was possible.
    [0] It is refused in nearly every position that was possible, or in all.
   *[other] It is played in { $played } % of the positions that were possible, and refused in { $refused } %.
  }
mistake-retry-captures = It captures in { $captures } %, and in { $retaken } % the opponent can retake.
mistake-retry-exposed = In { $exposed } % the opponent can capture the man at once.
mistake-retry-checks = It gives check in { $checks } %.
mistake-retry-mates = It mates in { $mates } %.
mistake-retry-draws = In { $draws } % the game ends in a draw.
mistake-retry-worth = It is worth { $value } pawns on average; the best attempts, { $most }.
mistake-retry-is-best = Nothing is better.
mistake-retry-best = Best: { $best }.
mistake-retry-best-any = Best: Any? first; after the answer no, { $best }.
mistake-retry-mating = It forces mate, whatever the position was.
mistake-retry-mate = { $best } forces mate, whatever the position was.
