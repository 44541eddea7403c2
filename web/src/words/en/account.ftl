# Accounts: sign in, sign up, sign out.

account-sign-in = Sign in
account-sign-out = Sign out
account-sign-up = Create account
account-create = Create account
account-name = Name
account-password = Password
account-show = Show
account-cancel = Cancel
account-rules = A name has 2 to 20 letters, digits, - or _, and begins with a letter. A password has 8 to 128 characters and is not one that many people use.
account-why = With an account you keep your name and your games. You can try the club without an account.
account-no-account = No account yet?
account-unfinished = { $games ->
    [one] You play as { $guest }, and a game of yours is not over. Your seat stays with { $guest }: if you sign in as somebody else, you can only watch, and you cannot come back as { $guest }. Finish the game first.
   *[other] You play as { $guest }, and { $games } games of yours are not over. Your seat stays with { $guest }: if you sign in as somebody else, you can only watch, and you cannot come back as { $guest }. Finish the games first.
  }
account-finish-first = Finish first
account-sign-in-anyway = Sign in anyway
account-finished-stay = What you have played as { $guest } stays under that name.
account-games-move = The games of { $guest }, also the running ones, will belong to your account. Others see the new name there.
account-title = Account
account-close = Close
account-operator = The operator's page
account-mail = Mail address, and mails about your turn
account-by-mail = New password by mail
account-codes = Recovery codes
account-codes-why = If you forget your password, you set a new one with one of these codes. Each code works once. The club shows them only now: write them down, or save them where you keep passwords.
account-codes-copy = Copy
account-codes-copied = Copied.
account-codes-not-copied = This browser does not let the page copy. Save the codes as a file, or write them down.
account-codes-save = Save as a file
account-codes-file = kriegspiel-recovery-codes-{ $name }.txt
account-codes-text = Recovery codes of { $name } at { $host }. Each code works once.
account-codes-done = I have saved the codes
account-codes-left = { $left ->
    [one] 1 recovery code is left.
   *[other] { $left } recovery codes are left.
  }
account-codes-renew = New recovery codes
account-codes-renew-why = New codes replace the old ones.
account-forgotten = Forgotten password?
account-recover = Set a new password
account-recover-why = Type one of the recovery codes that you got when you created the account. Without a code, only the operator of this club can help.
account-code = Recovery code
account-new-password = New password
account-old-password = Current password
account-change = Change password
account-change-why = You are signed out everywhere else.
account-changed = The password is changed.
account-sessions = Where you are signed in
account-session = { $label } since { $begun }
account-session-unnamed = since { $begun }
account-this-session = this session
account-session-plays = only plays
account-end-session = Sign out { $session }
account-end = Sign out
account-end-all = Sign out everywhere
account-tokens = Tokens for programs
account-tokens-why = A program with a token plays in your name. It cannot change your account. The token lasts a year; end it in the list above.
account-token-label = Name of the token
account-token-make = Create token
account-token-made = The token, shown only now:
account-data = Your data
account-data-why = A file with everything that the club stores about you. Of running games it has only what you heard.
account-download = Download your data
account-remove = Delete the account
account-remove-why = Your finished games stay, with the name deleted-account. Everything else is deleted.
account-remove-running = { $games ->
    [one] One game of yours is not over.
   *[other] { $games } games of yours are not over.
  }
account-resign-them = { $games ->
    [one] Resign it, and delete the account now
   *[other] Resign them, and delete the account now
  }
account-wait-for-them = { $games ->
    [one] Delete the account when it is over
   *[other] Delete the account when they are over
  }
account-leaving = This account will be deleted when your last game is over. You cannot begin new games.
account-keep = Keep the account
