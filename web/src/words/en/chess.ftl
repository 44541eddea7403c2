# Men, sides, moves, times and results.

chess-side = { $side ->
    [white] White
   *[black] Black
  }
chess-man = { $man ->
    [king] king
    [queen] queen
    [rook] rook
    [bishop] bishop
    [knight] knight
   *[pawn] pawn
  }
chess-man-title = { $man ->
    [king] King
    [queen] Queen
    [rook] Rook
    [bishop] Bishop
    [knight] Knight
   *[pawn] Pawn
  }
chess-men-title = { $man ->
    [king] Kings
    [queen] Queens
    [rook] Rooks
    [bishop] Bishops
    [knight] Knights
   *[pawn] Pawns
  }
chess-counted = { $count ->
    [one] { chess-man }
   *[other] { $count } { chess-man }s
  }

# King, queen, rook, bishop, knight, pawn.
chess-letters = KQRBNP

chess-days = { $count ->
    [one] 1 day
   *[other] { $count } days
  }
chess-hours = { $count ->
    [one] 1 hour
   *[other] { $count } hours
  }
chess-minutes = { $count } min
chess-seconds = { $count } s
chess-clock-fischer = { $initial } + { $increment } per move
chess-clock-plain = { $initial } each
chess-clock-each = { chess-days } per move
chess-clock-days = { $initial } + { $increment } per move, at most { $cap }
chess-clock-left = { $days } d { $hours } h
chess-clock-unlimited = no clock

chess-step = { $from } to { $to }
chess-promoted = { $from } to { $to }, { chess-man }
chess-dropped = { chess-man } dropped on { $to }

chess-aborted = Game aborted
chess-drawn = Draw
chess-you-won = You won
chess-you-lost = You lost
chess-won = { chess-side } won
chess-cause = { $reason ->
    [checkmate] checkmate
    [stalemate] stalemate
    [insufficient] too little material
    [threefold] threefold repetition
    [fifty] fifty moves
    [resignation] resignation
    [agreement] by agreement
    [time] out of time
    [exhausted-tries] three pawn captures were refused
    [abandoned] a player has left the game
   *[aborted] { "" }
  }
