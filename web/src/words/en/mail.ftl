# The user's mail address, a new password by mail, and what the links in mails do.

mail-title = Mail
mail-none = This club sends no mail. With a recovery code you set a new password; without one, only the operator can help.
mail-about = Mail to this address sets a new password if you forget yours, and tells you at most twice a day that it is your turn in games of days. Nobody else sees the address. An empty field removes it.
mail-address = Mail address
mail-password = Password
mail-save = Save
mail-sent = A mail is on its way to { $address }. The address counts once you have followed its link.
mail-removed = The address is removed.
mail-digests = Tell me by mail that it is my turn in games of days
mail-forgotten-about = If an account has this confirmed address, it gets a link that sets a new password. The link works once, for an hour.
mail-forgotten-send = Send the link
mail-forgotten-sent = If an account has the address { $address }, a mail is on its way.
mail-new-password = New password
mail-new-password-about = You are signed out everywhere else.
mail-new-password-set = Set the password
mail-password-set = The password is set.
mail-follow = { $purpose ->
    [confirm] Confirm my address
   *[other] Get no more mails about turns
  }
mail-followed = { $purpose ->
    [confirm] Your address is confirmed.
   *[other] You get no more mails about turns.
  }
