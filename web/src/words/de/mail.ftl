# Not reviewed: nobody but the translator has read these texts.

mail-title = Mail
mail-none = Dieser Club verschickt keine Mails. Ein neues Passwort setzt du mit einem Wiederherstellungscode; ohne Code kann nur der Betreiber helfen.
mail-about = Über diese Adresse setzt du ein neues Passwort, wenn du deines vergisst, und höchstens zweimal am Tag sagt dir eine Mail, dass du in Partien über Tage am Zug bist. Niemand sonst sieht die Adresse. Ein leeres Feld entfernt sie.
mail-address = Mailadresse
mail-password = Passwort
mail-save = Speichern
mail-sent = Eine Mail an { $address } ist unterwegs. Die Adresse gilt, sobald du ihrem Link gefolgt bist.
mail-removed = Die Adresse ist entfernt.
mail-digests = Sag mir per Mail, dass ich in Partien über Tage am Zug bin
mail-forgotten-about = Wenn ein Konto diese bestätigte Adresse hat, bekommt sie einen Link, der ein neues Passwort setzt. Der Link gilt einmal, eine Stunde lang.
mail-forgotten-send = Link schicken
mail-forgotten-sent = Wenn ein Konto die Adresse { $address } hat, ist eine Mail unterwegs.
mail-new-password = Neues Passwort
mail-new-password-about = Überall sonst wirst du abgemeldet.
mail-new-password-set = Passwort setzen
mail-password-set = Das Passwort ist gesetzt.
mail-follow = { $purpose ->
    [confirm] Meine Adresse bestätigen
   *[other] Keine Mails mehr, dass ich am Zug bin
  }
mail-followed = { $purpose ->
    [confirm] Deine Adresse ist bestätigt.
   *[other] Du bekommst keine Mails mehr, dass du am Zug bist.
  }
