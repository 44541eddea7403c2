# The sentences of the referee. `heard.test.ts` compares them with those of the crate `notation`.

heard-start = { $side ->
    [white] A new game. You play White.
    [black] A new game. You play Black.
   *[none] A new game.
  }
heard-moved = { chess-side } has moved.
heard-you-moved = You play { $move }.

# An answer of the referee.
heard-word = { $word ->
    [no] no
    [repeat-no] repeat no
    [nonsense] nonsense
    [hell-no] hell no
    [heck-no] heck-no
    [impossible] impossible
    [yes] yes
    [none] none
    [try] try!
   *[some] some
  }
heard-refused = { $word }: { $move }.
heard-told = { chess-side } is told { $word }.
heard-any = { $you ->
    [true] You ask any? { $word }
   *[false] { chess-side } asks any? { $word }
  }

heard-lost = Your { chess-man } on { $square } is gone.
# What was captured, as far as it is announced.
heard-captured = { $man ->
    [none] man
    [piece] piece
   *[other] { chess-man }
  }
heard-passing = { $passing ->
    [true] , en passant
   *[false] { "" }
  }
heard-capture = { $man ->
    [none] Capture on { $square }{ heard-passing }.
    [piece] Piece gone on { $square }{ heard-passing }.
   *[other] { chess-man-title } gone on { $square }{ heard-passing }.
  }
heard-capture-somewhere = A { heard-captured } is gone.
heard-you-capture = You capture a { heard-captured } on { $square }{ heard-passing }.
heard-you-capture-somewhere = You capture a { heard-captured }.
heard-drop = { $you ->
    [true] You drop a { chess-man }.
   *[false] { chess-side } drops a { chess-man }.
  }
heard-promotion = { $you ->
    [true] You promote.
   *[false] { chess-side } promotes.
  }

heard-direction = { $direction ->
    [rank] on the rank
    [file] on the file
    [long] on the long diagonal
    [short] on the short diagonal
   *[knight] by a knight
  }
heard-check = Check.
heard-check-from = Check { heard-direction }.
heard-double-check = Double check: { $directions }.

heard-whether = { $owner ->
    [you] You have a pawn capture.
    [opponent] Your opponent has a pawn capture.
    [none] Pawn capture.
   *[other] { heard-owner } has a pawn capture.
  }
heard-no-tries = { $owner ->
    [you] You have no pawn tries.
    [opponent] Your opponent has no pawn tries.
    [none] No pawn tries.
   *[other] { heard-owner } has no pawn tries.
  }
heard-owner = { $owner ->
    [white] White
   *[black] Black
  }
heard-tries = { $count ->
    [one] { $count } pawn try
   *[other] { $count } pawn tries
  }
heard-count = { $owner ->
    [you] You have { heard-tries }.
    [opponent] Your opponent has { heard-tries }.
    [none] { heard-tries }.
   *[other] { heard-owner } has { heard-tries }.
  }
# Announced squares: those on which a pawn can capture, those of the pawns, those for one pawn and for two.
heard-squares = { $owner ->
    [you] Your { heard-kind } { $squares }.
    [opponent] Your opponent's { heard-kind } { $squares }.
    [none] { heard-kind-title } { $squares }.
   *[other] { heard-owner }'s { heard-kind } { $squares }.
  }
heard-kind = { $kind ->
    [from] { $count ->
        [one] pawn try from
       *[other] pawn tries from
      }
    [single] single pawn tries:
    [double] double pawn tries:
   *[on] { $count ->
        [one] pawn try:
       *[other] pawn tries:
      }
  }
heard-kind-title = { $kind ->
    [from] { $count ->
        [one] Pawn try from
       *[other] Pawn tries from
      }
    [single] Single pawn tries:
    [double] Double pawn tries:
   *[on] { $count ->
        [one] Pawn try:
       *[other] Pawn tries:
      }
  }

heard-turn = { chess-side } to move.
heard-rebuffs = { $you ->
    [true] You ask for the count: { heard-rebuffed }.
   *[false] { chess-side } asks for the count: { heard-rebuffed }.
  }
# The other side than that which asked.
heard-rebuffed = { $side ->
    [white] Black was rebuffed { heard-times }
   *[black] White was rebuffed { heard-times }
  }
heard-times = { $count ->
    [0] not once
    [1] once
    [2] twice
   *[other] { $count } times
  }
heard-recap = { $you ->
    [true] You ask again: { $said }
   *[false] { chess-side } asks again: { $said }
  }
heard-nothing-yet = nothing was announced yet.
heard-draw-offer = { $you ->
    [true] You offer a draw.
   *[false] { chess-side } offers a draw.
  }
heard-draw-declined = { $you ->
    [true] You decline the draw.
   *[false] { chess-side } declines the draw.
  }
heard-draw-withdrawn = { $you ->
    [true] You take the draw offer back.
   *[false] { chess-side } takes the draw offer back.
  }

# How a game ended. `$side` lost.
heard-over = { heard-cause }: { heard-outcome }.
heard-agreed = A draw is agreed, 1/2-1/2.
heard-cause = { $reason ->
    [checkmate] Checkmate
    [stalemate] Stalemate
    [stalemate-loses] Stalemate, which loses here
    [insufficient] Too little material is left
    [threefold] The position has occurred three times
    [fifty] Fifty moves by each side without a capture or a pawn move
    [agreement] A draw is agreed
    [exhausted-tries] The pawn captures of this turn are spent and no other move is legal
    [resignation] { $side ->
        [none] Resignation
       *[other] { chess-side } resigns
      }
    [time] { $side ->
        [none] Time is up, and the other side has a bare king
       *[other] { chess-side }'s time is up
      }
    [abandoned] { $side ->
        [none] A player has left the game
       *[other] { chess-side } has left the game
      }
   *[aborted] The game is broken off
  }
heard-outcome = { $outcome ->
    [white] White wins, 1-0
    [black] Black wins, 0-1
    [draw] a draw, 1/2-1/2
   *[none] no result, *
  }
heard-you-won = { $reason ->
    [stalemate] You won: your opponent has no legal move, { $result }.
    [resignation] You won: your opponent resigned, { $result }.
    [time] You won: your opponent ran out of time, { $result }.
    [exhausted-tries] You won: your opponent's three pawn captures were refused, and no other move is legal, { $result }.
    [abandoned] You won: your opponent left the game, { $result }.
   *[other] You won: { chess-cause }, { $result }.
  }
heard-you-lost = { $reason ->
    [stalemate] You lost: you have no legal move, { $result }.
    [resignation] You lost: you resigned, { $result }.
    [time] You lost: you ran out of time, { $result }.
    [exhausted-tries] You lost: your three pawn captures were refused, and no other move is legal, { $result }.
    [abandoned] You lost: you left the game, { $result }.
   *[other] You lost: { chess-cause }, { $result }.
  }
