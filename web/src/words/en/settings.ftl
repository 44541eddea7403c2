# The page of settings.

settings-page-title = Kriegspiel Umpire: settings
settings-title = Settings
settings-about = This device keeps them; nothing is sent, unless you switch notices on.
settings-look = Look
settings-playing = Playing
settings-sounds = Sounds

settings-choice-theme = Colours
settings-choice-theme-auto = As the device
settings-choice-theme-light = Light
settings-choice-theme-dark = Dark
settings-choice-contrast = Contrast
settings-choice-contrast-auto = As the device
settings-choice-contrast-more = High
settings-choice-board = Board
settings-choice-board-green = Green
settings-choice-board-brown = Brown
settings-choice-board-blue = Blue
settings-choice-size = Size of the board
settings-choice-size-full = Full
settings-choice-size-large = Large
settings-choice-size-medium = Medium
settings-choice-men = Men
settings-choice-men-umpire = Umpire
settings-choice-men-burnett = Burnett
settings-choice-notation = Notation
settings-choice-notation-san = Nf3
settings-choice-notation-coordinates = g1f3
settings-choice-notation-descriptive = N-KB3
settings-choice-language = Language
settings-choice-language-auto = As the browser

settings-tick-confirm = Confirm each move on the board
settings-tick-keys = Single keys are commands in a game
settings-tick-sound = Play sounds
settings-volume = Volume
settings-percent = { $percent } %
settings-listen = Listen

settings-notices = Notices
settings-tick-notices = Notify this device when it is my turn
settings-notices-about = Also of challenges and messages; only while no page of yours is open. A notice tells nothing of the position.
settings-notices-refused = The browser does not allow notices of this club: allow them in its settings.
settings-notices-failed = The browser could not get notices: try again later.
settings-notice-turn = It is your turn
settings-notice-challenge = You are challenged
settings-notice-message = You have a message
