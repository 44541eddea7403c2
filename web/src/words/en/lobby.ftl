# The lobby, and the dialog of an offer with custom rules.

lobby-title = Kriegspiel Umpire: lobby
lobby-headline = Chess in the dark,
lobby-headline-second = with a referee.
lobby-lead = You see only your own men. Try a move: the referee plays it, or says _no_ if it is illegal. What the referee says helps you find out where your opponent's men are.
lobby-learn = Learn it in fifteen minutes
lobby-play-now = Play now
lobby-play-now-about = against a program which you can beat. No clock, no account.
lobby-play-now-against = against **{ $program }**, which you can beat. No clock, no account.
lobby-play-again = Play again
lobby-play-person = Play a person
lobby-play-person-about = find an opponent, or challenge a friend by link
lobby-problem = Problem of the day
lobby-problem-about = Force mate without seeing the opponent.
lobby-heading = Lobby
lobby-guest = You play as { $name }, a guest. With an account you keep your games.

lobby-sample-first = You play e4.
lobby-sample-theirs = Black has moved.
lobby-sample-second = You try e5.
lobby-sample-why = An unseen man is in the way. Try again.
lobby-sample-label = A game that plays itself: White's men on a board, and a crossed square after a no.
lobby-sample-start = You see only your own men.
lobby-sample-no = No.
lobby-sample-guess = So a black man must be on e5.
lobby-sample-third = You play Nf3, and attack it.
lobby-sample-pause = Pause
lobby-sample-play = Play

lobby-loading = Loading...
lobby-no-program = No program is here now. Find an opponent below, or challenge a friend by link.
lobby-no-answer = { $name } has not answered yet; the game will open when it does.

lobby-mine-title = Your games
lobby-mine-against = against { $name }
lobby-mine-your-turn = Your turn
lobby-mine-their-turn = { $name } to move
lobby-mine-adjourned = Game adjourned
lobby-mine-clock = your clock { $time }
lobby-mine-resume = Continue
lobby-mine-resume-label = Continue against { $name }
lobby-mine-open = Open
lobby-mine-open-label = Open the game against { $name }

lobby-challenges-title = Challenges
lobby-challenges-by-you = You challenge { $name }
lobby-challenges-to-you = { $name } challenges you
lobby-challenges-withdraw = Cancel
lobby-challenges-accept = Accept
lobby-challenges-decline = Decline
lobby-challenges-declined = Your challenge to { $name } is no longer open.
lobby-challenges-ok = OK

lobby-form-title = New game
lobby-form-ruleset = Rules
lobby-form-rulesets = All rulesets
lobby-form-start-here = Start here
lobby-form-card-wild16 = Wild 16
lobby-form-card-wild16-about = You hear how many pawn captures you have. Only you hear a no.
lobby-form-card-english = English, 1933
lobby-form-card-english-about = Ask Any? before a pawn captures. Everybody hears a no.
lobby-form-card-rand = RAND, 1950
lobby-form-card-rand-about = You hear where pawns can capture. Everybody hears a no.
lobby-form-card-crazykrieg = Crazyhouse
lobby-form-card-crazykrieg-about = Captured men change sides, to be dropped on the board.
lobby-form-own = Your own rules...
lobby-form-more = More:
lobby-form-all = [Compare all rulesets](/rules)
lobby-form-time = Time
lobby-form-custom = Custom
lobby-form-days-about = Come back when you like: the club keeps the game, and the list of your games begins with those in which it is your turn.
lobby-form-days-guest = Days per move need an account, so that you can come back.
lobby-form-minutes = Minutes each
lobby-form-seconds = Seconds per move
lobby-form-colour = You play
lobby-form-colours-any = Random colour
lobby-form-colours-white = White
lobby-form-colours-black = Black
lobby-form-rated = Rated
lobby-form-rated-about = The result changes both players' ratings. Against a program, only levels play rated games.
lobby-form-rated-guest = A rated game needs an account.
lobby-form-rated-custom = A rated game needs a built-in ruleset.
lobby-form-people = Against a person
lobby-form-opponent = Opponent (leave blank for anyone)
lobby-form-opponent-example = a player's name
lobby-form-find = Find an opponent
lobby-form-challenge = Challenge { $name }
lobby-form-invite = Challenge a friend by link
lobby-form-device = Play with a friend on this device
lobby-form-found = Your challenge is in the list. The game opens here when somebody accepts.
lobby-form-unread = The club cannot read your rules yet: the error is shown below them.
lobby-form-wrong-minutes = “Minutes each” must be from 0.5 to 180.
lobby-form-wrong-seconds = “Seconds per move” must be from 0 to 180.

lobby-seeks-title = Open challenges
lobby-seeks-none = Nobody waits for an opponent now. Make the first offer, or play a program.
lobby-seeks-make = Offer a game
lobby-seeks-you = You
lobby-seeks-play = Play
lobby-seeks-play-label = Play { $name }

lobby-programs-title = Against a program
lobby-programs-others = Other programs
lobby-programs-play-label = Play { $name } with your settings
lobby-programs-about = Starts at once, with the settings below. The number is a rating among programs.
lobby-programs-rating = rating { $points }
lobby-programs-rating-range = rating { $points } ({ $low } to { $high })

lobby-here = Here now
lobby-running-title = Games in progress
lobby-running-none = No other game is in progress.
lobby-running-players = { $white } – { $black }
lobby-running-watch = Watch
lobby-running-watch-label = Watch { $white } against { $black }

lobby-finished-title = Finished games
lobby-finished-see = Review
lobby-finished-see-label = Review the game against { $name }
lobby-finished-see-both = Review { $white } against { $black }
lobby-all-games = All finished games
lobby-evenings = Evenings
lobby-more = More of the club

lobby-terms-refusals-mover = only you hear your refusals
lobby-terms-refusals-all = everybody hears of refused tries
lobby-terms-rated = rated
lobby-terms-you-play = you play { chess-side }
lobby-terms-they-play = they play { chess-side }
lobby-terms-custom = { $id } (own rules)
lobby-terms-start = from a given position
lobby-terms-changed = { $count ->
    [0] { $title } ({ $base })
    [one] { $title } ({ $base } with one change)
   *[other] { $title } ({ $base } with { $count } changes)
  }

lobby-their-rules-title = { $by }'s own rules
lobby-their-rules-play = Play with these rules
lobby-their-rules-cancel = Cancel
