# Not reviewed: nobody but the translator has read these texts.

site-mark-first = Kriegspiel
site-mark-second = Umpire
site-skip = Zum Inhalt springen
site-navigation = Seiten
site-lobby = Lobby
site-rules = Regeln
site-problems = Aufgaben
site-learn = Lernen
site-sounds = Töne
site-sounds-are = { $on ->
    [true] Töne: an
   *[false] Töne: aus
  }
site-profile = Profil
site-my-games = Meine beendeten Partien
site-leaderboard = Rangliste
site-settings = Einstellungen
site-home = Startseite
site-your-data = Deine Daten
site-menu = { $name ->
    [none] Menü
   *[other] { $name }: Menü
  }
site-waits-label = { $count ->
    [0] Nichts wartet auf dich
    [one] 1 Sache wartet auf dich
   *[other] { $count } Sachen warten auf dich
  }
site-waits-turn = Du bist am Zug gegen **{ $opponent }**
site-waits-resume = { $opponent } möchte eure Partie fortsetzen
site-waits-messages = { $count ->
    [one] 1 Nachricht für dich
   *[other] { $count } Nachrichten für dich
  }
site-waits-nothing = Nichts wartet auf dich.

site-offline = Offline: Die Verbindung wird wiederhergestellt.
site-nothing-lost = Es geht nichts verloren: Die Partie geht dort weiter, wo du zuletzt etwas gehört hast.
site-away = Du bist offline
site-away-about = Diese Seite öffnet sich von selbst, sobald der Club erreichbar ist.
site-nothing-here = Seite nicht gefunden
site-no-page = Unter { $path } gibt es keine Seite. [Zur Lobby](/).
site-loading = Wird geladen …
site-no-club = Der Club ist nicht erreichbar. Prüfe deine Verbindung und versuch es dann noch einmal.
site-strange-answer = Der Club hat mit { $status } geantwortet. Versuch es gleich noch einmal.
site-unknown-error = Etwas ist schiefgegangen; versuch es noch einmal.
site-again = Noch einmal versuchen

site-news-label = Neuigkeiten
site-news-title = Neu:{" "}
site-news-begun = Deine Partie gegen **{ $opponent }** hat begonnen.
site-news-go = Zur Partie
site-news-challenge = **{ $by }** fordert dich heraus.
site-news-see = Ansehen
site-news-later = Später

site-sign-in = Anmelden
site-sign-up = Konto erstellen
site-sign-out = Abmelden
site-account = Konto
site-guest = Ein Gast hat einen Namen, aber kein Passwort.
site-signed-in = { $guest ->
    [true] Du spielst als Gast unter dem Namen { $name }.
   *[false] Du bist als { $name } angemeldet.
  }
