# A game that is being played: calls, board, guesses, questions, commands, keys.

game-untitled = A game
game-page-title = { $yours ->
    [true] Your turn: { $white } against { $black }
   *[false] { $white } against { $black }
  }
game-heading = { $white } against { $black }
game-missing = No such game
game-loading = Loading the game...
game-calls = Calls
game-nothing-yet = Nothing yet.
game-to-lobby = To the lobby
game-keep-games = Create an account to keep your games

game-call-label = Last call
game-call-over = The game is over
game-call-adjourned = Game adjourned. Clocks are paused
game-call-asking = Asking the referee...
game-call-first-move = first move within { $time }
game-call-your-turn = Your turn
game-call-to-move = { chess-side } to move
game-call-thinking = { chess-side } is thinking
game-call-loading = The game is being loaded.
game-call-explain = Explain
game-call-explain-label = Explain the calls

game-reason-impossible-label = Impossible move
game-reason-impossible = { $move } is impossible
game-reason-impossible-spoken = { $move } is impossible: your own men and the announcements show it. The referee was not asked.
game-reason-not-asked = Your own men and the announcements show it, so the referee was not asked.
game-reason-insist = Ask the referee anyway
game-reason-confirm-label = Confirm the move
game-reason-confirm = Try { $move }?
game-reason-confirm-spoken = Try { $move }? Make the same move again, or press Try.
game-reason-send = Try
game-reason-take-back = Take back
game-reason-again = Make the same try again to ask anyway.
game-reason-again-heard = Make the same try again to ask anyway; everybody will hear that a try was refused.
game-reason-not-done = Not done
game-reason-unconfirmed = Not confirmed
game-reason-why-label = Why
game-reason-why-not = Why not { $move }?
game-reason-means-label = What that means
game-reason-unheard = Your opponent did not hear of this.
game-reason-next = { $free ->
    [true] Nothing is lost: make another try.
   *[false] Make another try.
  }
game-reason-understood = OK
game-reason-adjourned = Game adjourned
game-reason-adjourned-text = Clocks are paused. You find the game in the lobby, under “Your games”. The game continues when both players have pressed “Resume”.
game-reason-begin-label = How to begin
game-reason-begin = Try anything
game-reason-begin-text = { $free ->
    [true] You do not see your opponent's men. Drag a man, press a man and a square, or type the move. If it is illegal, the referee says no and you try again; this costs nothing. “Explain” says what the referee's words mean.
    [false] You do not see your opponent's men. Drag a man, press a man and a square, or type the move. If it is illegal, the referee says no and you try again, but everybody hears that a try was refused. “Explain” says what the referee's words mean.
   *[none] You do not see your opponent's men. Drag a man, press a man and a square, or type the move. If it is illegal, the referee says no and you try again. “Explain” says what the referee's words mean.
  }
game-reason-watch-label = What a spectator hears
game-reason-watch = You are watching
game-reason-watch-text = You hear what the referee announces to everybody. While the game is in progress, the men of both players are hidden, because a spectator could tell a player about them. The square that was named last is marked. After the end of the game, three boards show everything here.
game-reason-box-label = Reason

game-board-empty = An empty board: spectators hear announcements only
game-board-yours = Your men: { $men }.
game-board-guesses = {" "}Your guesses: { $men }.
game-board-end = The end. White: { $white }. Black: { $black }.
game-umpire-title = The referee's board
game-umpire-board = The referee's board. White: { $white }. Black: { $black }.
game-umpire-when = { $live ->
    [true] live
   *[false] a finished game, played again
  }
game-board-squares = Squares: walk with the arrow keys, pick up and put down with Enter
game-board-own = your { chess-man }
game-board-guess = your guess, { chess-man }
game-board-theirs = the opponent's { chess-man }
game-board-nothing = empty
game-board-picked = picked up
# What is drawn on a square.
game-board-marks-check = in check
game-board-marks-line = on the line of the check
game-board-marks-jump = a knight may give check from here
game-board-marks-told = a man was captured here
game-board-marks-goal = pawn try
game-board-marks-meant = may have a pawn try
game-board-marks-refused = refused
game-board-marks-mine = your last move

game-end-label = After the game
game-end-tallies = { game-end-moves } · { game-end-tries }, { $refused } refused
game-end-moves = { $moves ->
    [one] 1 move
   *[other] { $moves } moves
  }
game-end-tries = { $tries ->
    [one] 1 try
   *[other] { $tries } tries
  }
game-end-aborted = A game is broken off if a first move does not come in time, or a player stops it early.
game-end-another = New opponent
game-end-review = Review
game-end-share = Share
game-end-copied = The link is copied.

game-seat-you = you
game-seat-program = program
game-seat-away = away
game-seat-clock = { chess-side }'s clock

game-field-label = Type a try
game-field-send = Try
game-field-example = e4, Nf3, O-O
game-field-help = Or ask: **p n** where are my knights, **s e4** what is on e4, **l** last call, **?** all questions.
game-field-key = Key /.{" "}

game-answers-nothing = { $square }: no man of yours, and no guess.
game-answers-yours = { $square }: your { chess-man }.
game-answers-guess = { $square }: you guess a { chess-man }.
game-answers-men = { $name } { $squares }.
game-answers-no-men = You have no { chess-man }.
game-answers-opponent = Your opponent: { $name }.
game-answers-watching = You watch this game.
game-answers-playing = { $side ->
    [white] You are White; the rules are { $rules }.
    [black] You are Black; the rules are { $rules }.
   *[none] You watch; the rules are { $rules }.
  }
game-answers-clocks = White { $white }, Black { $black }.
game-answers-no-clock = This game has no clock.
game-answers-paused = Clocks are paused.
game-answers-questions = Ask p and a man (p n: knights), s and a square, a file or a rank (s e4, s a, s 4), l (last call), o (opponent), c (clocks), i (this game).

game-acts-adjourn = You offer to adjourn. The game continues until your opponent accepts.
game-acts-resume = You offer to resume the game. The clocks are stopped until your opponent accepts.
game-acts-decline-adjourn = The offer is no longer open.
game-acts-rematch = You offer a rematch with colours exchanged.
game-acts-decline-rematch = The offer of a rematch is no longer open.

game-refused = Impossible moves
game-reserve = Reserve
game-reserve-label = Your reserve, to drop
game-drop = Drop a { chess-man }: { $count } in reserve
game-ask = Ask the referee
game-at-table = Game
game-more = More
game-answer-offer = Answer
game-keys = Keys
game-your-men = Your men
game-ahead-title = { $count ->
    [0] Tries in advance
   *[other] Tries in advance ({ $count })
  }
game-first-move = { $yours ->
    [true] Make your first move within { $time }, or the game is aborted.
   *[false] The first move must be made within { $time }, or the game is aborted.
  }
game-claim-from = { $away ->
    [true] Your opponent is away. You may claim the game from { $moment } on (in { $time }).
   *[false] Your opponent has not moved. You may claim the game from { $moment } on (in { $time }).
  }
game-claim-now = { $away ->
    [true] Your opponent is away. You may claim the game, or wait.
   *[false] Your opponent has not moved. You may claim the game, or wait.
  }
game-draw-offer = { $yours ->
    [true] You offer a draw.
   *[false] Your opponent offers a draw.
  }
game-adjourn-offer = { $yours ->
    [true] You offer to { game-adjourn-what }.
   *[false] Your opponent offers to { game-adjourn-what }.
  }
game-rematch-offer = { $yours ->
    [true] You offer a rematch.
   *[false] Your opponent offers a rematch.
  }
game-accept-rematch = Accept the rematch
game-next-game = To the next game
game-adjourned-spoken = Game adjourned. Clocks are paused.
game-resumed-spoken = The game continues.
game-refusals-mover = only you hear your refusals
game-refusals-all = everybody hears of refused tries
game-differences = How these rules differ

game-promotion-title = Promote the pawn to
game-promotion-as-it-is = As it is
game-promotion-cancel = Cancel

game-cancel = Cancel

game-log-title = Heard so far
game-log-start = Start
game-log-your-turn = Your turn { $n }
game-log-turn = { chess-side }'s turn { $n }

game-guesses-title = Your guesses
game-guesses-sets = Which guess is shown
game-guesses-set = Guess { $name }
game-guesses-men = Men to place
game-guesses-man = { chess-man-title }: { $free } of { $most } to place
game-guesses-reading = Write men and squares: ke8 qd8, or e5 for a pawn; -e5 removes the guess.
game-guesses-own = Your own man stands on { $square }.
game-guesses-placed = { chess-man-title } on { $square }.
game-guesses-removed = { $square }: removed.
game-guesses-placing = Press a square for each { chess-man }. To remove the guess, press the square again. To stop, press the { chess-man } beside the board.
game-guesses-left = { $count ->
    [one] 1 enemy man is left.
   *[other] { $count } enemy men are left.
  }
game-guesses-at-most = At most { game-pawns } and { game-pieces }, not counting the king. Each pawn may have been promoted.
game-guesses-placing-label = Placing guesses
game-guesses-placing-title = Where do you guess a { chess-man }?
game-guesses-help = Pick a man, then its squares. A right click or a long press removes a guess. Guesses never leave this device.
game-guesses-field = Type guesses
game-guesses-example = ke8 qd8, -e5
game-guesses-place = Place
game-guesses-opening = Set up the opening position
game-guesses-undo = Undo
game-guesses-clear = Clear all
game-guesses-list = Guesses on the board
game-guesses-remove = : remove
game-guesses-done = Set up.
game-guesses-undone = Undone.
game-guesses-one-king = There is only one king.
game-guesses-pawns-left = At most { game-pawns } can be left.
game-guesses-pieces-left = { $pawns ->
    [true] At most { game-pieces } can be left, not counting the king and these pawns.
   *[false] At most { game-pieces } can be left, not counting the king.
  }
game-guesses-none-yet = At most { chess-counted }: no pawn can have been promoted yet.
game-guesses-none-announced = At most { chess-counted }: no promotion was announced.
game-guesses-promoted-left = At most { game-pawns } can have been promoted by now.
game-guesses-no-pawn-left = With { game-pawns } there can be at most { chess-counted }.
game-guesses-private = on this device only
game-guesses-pick = { $free ->
    [0] { chess-man-title }: press a square; none left.
   *[other] { chess-man-title }: press a square; { $free } left.
  }
game-guesses-men-left = { $men ->
    [one] Only 1 man is left in all.
   *[other] Only { $men } men are left in all.
  }
game-guesses-show = Guesses

game-close-help = Close

game-commands-any = Any?
game-about-any = asks whether a pawn of yours can capture
game-commands-count = Count
game-about-count = asks how often your opponent was refused
game-commands-recap = Recap
game-about-recap = asks for the last announcements again
game-commands-px = Play the pawn try
game-about-px = plays the only announced pawn capture
game-commands-accept-draw = Accept draw
game-about-accept-draw = accepts the draw offer
game-confirm-accept-draw = Accept the draw? The game ends.
game-commands-decline-draw = Decline draw
game-about-decline-draw = declines the draw offer
game-commands-offer-draw = Offer draw
game-about-offer-draw = offers a draw
game-commands-withdraw-draw = Withdraw draw offer
game-about-withdraw-draw = withdraws your draw offer
game-commands-claim-win = Claim the win
game-about-claim-win = your opponent is gone: claims the win
game-commands-claim-draw = Claim a draw
game-about-claim-draw = your opponent is gone: claims a draw
game-commands-abort = Abort
game-about-abort = ends the game without a result, before both players have moved
game-confirm-abort = Abort the game? It then ends without a result.
game-commands-offer-adjourn = Offer to adjourn
game-about-offer-adjourn = offers to continue on another day
game-commands-adjourn = Adjourn
game-about-adjourn = agrees to continue on another day
game-commands-resume = Resume
game-about-resume = offers to continue the adjourned game, or accepts this offer
game-commands-withdraw-adjourn = Withdraw the offer
game-about-withdraw-adjourn = withdraws your offer to adjourn or to resume
game-commands-decline-adjourn = Decline
game-about-decline-adjourn = declines the offer to adjourn or to resume
game-commands-resign = Resign
game-about-resign = resigns the game
game-confirm-resign = Resign? Your opponent wins.
game-commands-rematch = Rematch
game-about-rematch = offers another game with exchanged colours, or accepts this offer
game-commands-withdraw-rematch = Withdraw the rematch
game-about-withdraw-rematch = withdraws your offer of a rematch
game-commands-decline-rematch = Decline the rematch
game-about-decline-rematch = declines the offer of a rematch
game-adjourn-what = { $adjourned ->
    [true] resume the game
   *[false] adjourn
  }
game-guesses-left-reserve = { $count ->
    [one] 1 enemy man is on the board; in reserve: { game-guesses-reserve }.
   *[other] { $count } enemy men are on the board; in reserve: { game-guesses-reserve }.
  }
game-guesses-reserve = { $reserve ->
    [none] none
   *[other] { $reserve }
  }
game-pawns = { $pawns ->
    [one] 1 pawn
   *[other] { $pawns } pawns
  }
game-pieces = { $pieces ->
    [one] 1 piece
   *[other] { $pieces } pieces
  }
