# Not reviewed: nobody but the translator has read these texts.

account-sign-in = Anmelden
account-sign-out = Abmelden
account-sign-up = Konto erstellen
account-create = Konto erstellen
account-name = Name
account-password = Passwort
account-show = Anzeigen
account-cancel = Abbrechen
account-rules = Ein Name hat 2 bis 20 Buchstaben, Ziffern, - oder _ und beginnt mit einem Buchstaben. Ein Passwort hat 8 bis 128 Zeichen und ist keines, das viele benutzen.
account-why = Mit einem Konto behältst du deinen Namen und deine Partien. Du kannst den Club auch ohne Konto ausprobieren.
account-no-account = Noch kein Konto?
account-unfinished = { $games ->
    [one] Du spielst als { $guest }, und eine deiner Partien läuft noch. Dein Platz bleibt bei { $guest }: Wenn du dich unter einem anderen Namen anmeldest, kannst du nur noch zuschauen und nicht als { $guest } zurückkommen. Spiel die Partie erst zu Ende.
   *[other] Du spielst als { $guest }, und { $games } deiner Partien laufen noch. Dein Platz bleibt bei { $guest }: Wenn du dich unter einem anderen Namen anmeldest, kannst du nur noch zuschauen und nicht als { $guest } zurückkommen. Spiel die Partien erst zu Ende.
  }
account-finish-first = Erst zu Ende spielen
account-sign-in-anyway = Trotzdem anmelden
account-finished-stay = Was du als { $guest } gespielt hast, bleibt unter diesem Namen.
account-games-move = Die Partien von { $guest }, auch die laufenden, gehören dann zu deinem Konto. Andere sehen dort den neuen Namen.
account-title = Konto
account-close = Schließen
account-operator = Die Seite des Betreibers
account-mail = Mailadresse, und Mails, wenn du am Zug bist
account-by-mail = Neues Passwort per Mail
account-codes = Wiederherstellungscodes
account-codes-why = Wenn du dein Passwort vergisst, kannst du mit einem dieser Codes ein neues setzen. Jeder Code gilt einmal. Der Club zeigt sie nur jetzt: Schreib sie auf oder speichere sie dort, wo du Passwörter aufbewahrst.
account-codes-copy = Kopieren
account-codes-copied = Kopiert.
account-codes-not-copied = Dieser Browser lässt die Seite nicht kopieren. Speichere die Codes als Datei oder schreib sie auf.
account-codes-save = Als Datei speichern
account-codes-file = kriegspiel-wiederherstellungscodes-{ $name }.txt
account-codes-text = Wiederherstellungscodes von { $name } bei { $host }. Jeder Code gilt einmal.
account-codes-done = Ich habe die Codes gespeichert
account-codes-left = { $left ->
    [one] 1 Wiederherstellungscode ist übrig.
   *[other] { $left } Wiederherstellungscodes sind übrig.
  }
account-codes-renew = Neue Wiederherstellungscodes
account-codes-renew-why = Neue Codes ersetzen die alten.
account-forgotten = Passwort vergessen?
account-recover = Neues Passwort setzen
account-recover-why = Gib einen der Wiederherstellungscodes ein, die du beim Erstellen des Kontos bekommen hast. Ohne Code kann nur der Betreiber dieses Clubs helfen.
account-code = Wiederherstellungscode
account-new-password = Neues Passwort
account-old-password = Aktuelles Passwort
account-change = Passwort ändern
account-change-why = Überall sonst wirst du abgemeldet.
account-changed = Das Passwort ist geändert.
account-sessions = Wo du angemeldet bist
account-session = { $label } seit { $begun }
account-session-unnamed = seit { $begun }
account-this-session = diese Sitzung
account-session-plays = spielt nur
account-end-session = { $session } abmelden
account-end = Abmelden
account-end-all = Überall abmelden
account-tokens = Token für Programme
account-tokens-why = Ein Programm mit einem Token spielt in deinem Namen. Dein Konto kann es nicht ändern. Der Token gilt ein Jahr; beenden kannst du ihn in der Liste oben.
account-token-label = Name des Tokens
account-token-make = Token erstellen
account-token-made = Der Token, nur jetzt zu sehen:
account-data = Deine Daten
account-data-why = Eine Datei mit allem, was der Club über dich speichert. Von laufenden Partien enthält sie nur, was du gehört hast.
account-download = Deine Daten herunterladen
account-remove = Konto löschen
account-remove-why = Deine beendeten Partien bleiben, unter dem Namen deleted-account. Alles andere wird gelöscht.
account-remove-running = { $games ->
    [one] Eine deiner Partien läuft noch.
   *[other] { $games } deiner Partien laufen noch.
  }
account-resign-them = { $games ->
    [one] Sie aufgeben und das Konto jetzt löschen
   *[other] Alle aufgeben und das Konto jetzt löschen
  }
account-wait-for-them = { $games ->
    [one] Das Konto löschen, wenn sie zu Ende ist
   *[other] Das Konto löschen, wenn alle zu Ende sind
  }
account-leaving = Dieses Konto wird gelöscht, sobald deine letzte Partie zu Ende ist. Neue Partien kannst du nicht beginnen.
account-keep = Konto behalten
