# Every page: head, news, errors.

site-mark-first = Kriegspiel
site-mark-second = Umpire

site-skip = Skip to the content
site-navigation = Site
site-lobby = Lobby
site-rules = Rules
site-problems = Problems
site-learn = Learn
site-sounds = Sounds
site-sounds-are = { $on ->
    [true] Sounds: on
   *[false] Sounds: off
  }
site-profile = Profile
site-my-games = My finished games
site-leaderboard = Leaderboard
site-settings = Settings
site-home = Home
site-your-data = Your data
site-menu = { $name ->
    [none] Menu
   *[other] { $name }: menu
  }

site-waits-label = { $count ->
    [0] Nothing waits for you
    [one] 1 thing waits for you
   *[other] { $count } things wait for you
  }
site-waits-turn = Your turn against **{ $opponent }**
site-waits-resume = { $opponent } wants to resume your game
site-waits-messages = { $count ->
    [one] 1 message for you
   *[other] { $count } messages for you
  }
site-waits-nothing = Nothing waits for you.

site-offline = Offline: reconnecting.
site-nothing-lost = Nothing is lost: the game continues from the last thing that you heard.
site-away = You are offline
site-away-about = This page opens by itself as soon as the club can be reached.
site-nothing-here = Page not found
site-no-page = There is no page at { $path }. [Go to the lobby](/).
site-loading = Loading...
site-no-club = The club cannot be reached. Check your connection, then try again.
site-strange-answer = The club answered { $status }. Try again in a moment.
site-unknown-error = Something went wrong; try again.
site-again = Try again

site-news-label = News
site-news-title = News:{" "}
site-news-begun = Your game against **{ $opponent }** has begun.
site-news-go = Go to the game
site-news-challenge = **{ $by }** challenges you.
site-news-see = See it
site-news-later = Later

site-sign-in = Sign in
site-sign-up = Create account
site-sign-out = Sign out
site-account = Account
site-guest = A guest has a name, but no password.
site-signed-in = { $guest ->
    [true] You play as { $name }, a guest.
   *[false] You are signed in as { $name }.
  }
