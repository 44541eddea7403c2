# Profiles, leaderboards, the search of finished games, the ratings after a game.

people-page-title = Kriegspiel Umpire: { $title }
people-kind = { $kind ->
    [program] Program
    [guest] Guest
   *[person] Player
  } since { $day }
people-loading = Loading...

people-challenge = Challenge { $name }
people-block = Block { $name }
people-unblock = Unblock { $name }
people-blocked = You block { $name }: neither of you can challenge the other, accept an open challenge of the other, or write to the other.
people-report = Fair play: report { $name }
people-fair-play = In a game you play alone: no help from programs, engines or people, and no second account that watches. Finish or resign what you begin, and stay polite. Players may use what they have noted of earlier games. Tell the operator if somebody does otherwise; nobody else hears of it.
people-report-text = What happened, and in which game
people-report-send = Report
people-reported = The operator has your report.
people-about = About you
people-about-hint = One line, for everybody
people-save = Save
people-saved = Saved.

people-ratings = Ratings
people-against = { $kind ->
    [programs] Against programs
   *[people] Against people
  }
people-no-ratings = { $yours ->
    [true] You have no rating yet. Play a rated game: tick “Rated” in the form for a new game.
   *[false] No rated game yet.
  }
people-no-ratings-guest = Guests have no ratings: rated games need an account.
people-new-game = New game
people-provisional = provisional
people-provisional-about = Few rated games, or none for a long time: this rating is still uncertain.
people-deviation = ± { $deviation }
people-deviation-label = deviation { $deviation }
people-curve = { $count ->
    [one] Rating { $last } after one change.
   *[other] Rating over { $count } changes: from { $first } to { $last }, lowest { $low }, highest { $high }.
  }
people-corrected = Corrected by the operator to { $points } on { $day }.
people-fixed = Measured in games between programs, and fixed.
people-changes = All changes
people-date = Date
people-rating = Rating
people-change = Change
people-cause = By
people-cause-game = a game
people-cause-operator = the operator
people-cause-fixed = measurement

people-record = Results by rules
people-record-none = No finished game with a result yet.
people-opponents = Opponents
people-opponent = Opponent
people-ruleset = Rules
people-total = Total
people-score-signs = + won, = drawn, − lost
people-score = { $won } won, { $drawn } drawn, { $lost } lost

people-last-games = Last games
people-all-games = All games
people-games-none = No finished game yet.

people-family = { $family ->
    [wild16] Wild 16
    [rand] RAND
    [berkeley] Berkeley and English
    [ks] ks and KSREF
    [crazykrieg] Crazyhouse
   *[other] { $family }
  }
people-family-about = { $family ->
    [wild16] Only you hear your refusals.
    [rand] Everybody hears refusals and where men are captured; pawn tries are announced.
    [berkeley] Everybody hears refusals and where men are captured; pawn tries only if you ask, or never.
    [ks] You must find out where men are captured.
   *[crazykrieg] Captured men return to the board.
  }

people-leaderboard = Leaderboard
people-leaderboard-about = The 100 highest ratings. Provisional ratings are left out.
people-cross = Cross table.
people-cross-about = Each row: points in per cent against the program of the column, with the 95 % interval. All finished games of these rules.
people-cross-score = { $percent } % ± { $range }
people-families = Rules
people-listed = Listed
people-listed-kind = { $kind ->
    [programs] Programs
   *[people] People
  }
people-opposing = Ratings
people-place = Place
people-name = Name
people-you = you
people-board-none = { $kind ->
    [programs] No program is in this list yet.
   *[people] Nobody is in this list yet. Play rated games, and be the first.
  }
people-not-listed = You are not in this list. A rating is listed when it is no longer provisional: play rated games.
people-your-profile = Your profile

people-games = Finished games
people-search = Search
people-player = Player (leave blank for everybody)
people-result = Result
people-any = Any
people-results-won = Won
people-results-lost = Lost
people-results-white = White won
people-results-black = Black won
people-results-draw = Draw
people-results-none = Aborted
people-since = From
people-until = To
people-found-none = No finished game matches.
people-found = { $more ->
    [true] { $count } games, and there are older ones.
   *[false] { $count ->
        [one] 1 game.
       *[other] { $count } games.
      }
  }
people-clear = Clear
people-older = Older games

people-ended = { $before ->
    [none] { $name }: { $after } (first rating)
   *[other] { $name }: { $before } → { $after } ({ $by })
  }
people-ended-title = Ratings, { people-family }:
people-ended-none = This game changes no rating.

people-operator = The operator's page
people-operator-reports = Open reports
people-operator-days = Newcomers
people-operator-name = Name of an account
people-operator-command = { $command ->
    [notes] Reports and notes
    [figures] Compare the last games with the engine
    [mute] Let it write no messages
    [unmute] Let it write again
    [disable] Let nobody sign in
    [enable] Let its owner sign in again
    [rate] Correct a rating
    [end] End a game without a result
   *[note] Keep a note
  }
people-operator-what = { $command ->
    [end] Id of the game
   *[rate] Family, opponents and rating: wild16 people 1500
  }
people-operator-because = Reason, for the notes
people-operator-act = What to do
people-operator-do = Do it
