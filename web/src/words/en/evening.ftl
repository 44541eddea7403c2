# Evenings: hours in which many play against each other.

evening-title = Evenings
evening-page-title = { $name } – Kriegspiel Umpire
evening-about = An evening is an hour in which everybody who joins plays one game after the other. A program plays with whoever is left over, so an evening works from one player on.
evening-none = No evening is planned. Make the first one.
evening-planned = Planned and running
evening-past = Past evenings
evening-all = Evenings
evening-next = Next evening
evening-next-of = Next game of { $name }
evening-by = by { $name }
evening-loading = Loading...

evening-status = { $status ->
    [planned] Begins { $in }
    [running] Running: ends { $in }
    [ending] The last games are played
   *[over] Over
  }
evening-players = { $count ->
    [0] nobody has joined
    [one] one player
   *[other] { $count } players
  }
evening-kind = { $kind ->
    [round-robin] Round robin
   *[arena] Arena hour
  }
evening-kind-about = { $kind ->
    [round-robin] Everybody meets everybody once. A program plays with whoever has no opponent in a round; no round begins after the end.
   *[arena] Whoever is free gets the next game: come and go as you like.
  }
evening-length = { $minutes } minutes

evening-join = Join
evening-again = Next game
evening-leave = Leave
evening-open = Back to your game
evening-see = See the table
evening-cancel = Cancel the evening
evening-calendar = Calendar file
evening-you = { $you ->
    [waiting] You wait for a game: it opens here.
    [playing] Your game is running.
   *[away] You get no game now.
  }
evening-you-planned = You have joined. Your first game opens here when the evening begins.

evening-table = Table
evening-table-none = Nobody has joined yet.
evening-table-place = Place
evening-table-player = Player
evening-table-points = Points
evening-table-won = Won
evening-table-games = Games
evening-state = { $state ->
    [waiting] free
    [playing] playing
   *[away] away
  }
evening-table-yours = you
evening-scoring = Two points for a win, one for a draw, none for a loss; equal points are ordered by games won. A game against a program counts like any other. An aborted game does not count. A game that runs at the end counts if it ends within 15 minutes.
evening-running = Games in progress
evening-finished = Last games

evening-make = Make an evening
evening-make-about = Everybody here can join. It begins and ends by itself; until it begins you can cancel it.
evening-make-guest = To make an evening, sign in or create an account.
evening-make-kind = Kind
evening-make-name = Name
evening-make-example = Thursday's Kriegspiel
evening-make-begins = Begins (your time)
evening-make-minutes = Length
evening-make-rules = Rules
evening-make-time = Time for each game
evening-make-rated = Rated
evening-make-date = Choose a date and an hour.

evening-hall-title = Kriegspiel Umpire: the referee's board
evening-hall-when = { $delay ->
    [0] now
    [1] a minute ago
   *[other] { $delay } minutes ago
  }
evening-hall-review = The game is over: see it on three boards
