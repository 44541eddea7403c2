# Not reviewed: nobody but the translator has read these texts.

settings-page-title = Kriegspiel Umpire: Einstellungen
settings-title = Einstellungen
settings-about = Die Einstellungen bleiben auf diesem Gerät; nichts wird gesendet, solange du keine Benachrichtigungen einschaltest.
settings-look = Aussehen
settings-playing = Spielen
settings-sounds = Töne

settings-choice-theme = Farben
settings-choice-theme-auto = Wie das Gerät
settings-choice-theme-light = Hell
settings-choice-theme-dark = Dunkel
settings-choice-contrast = Kontrast
settings-choice-contrast-auto = Wie das Gerät
settings-choice-contrast-more = Hoch
settings-choice-board = Brett
settings-choice-board-green = Grün
settings-choice-board-brown = Braun
settings-choice-board-blue = Blau
settings-choice-size = Brettgröße
settings-choice-size-full = Voll
settings-choice-size-large = Groß
settings-choice-size-medium = Mittel
settings-choice-men = Figuren
settings-choice-men-umpire = Umpire
settings-choice-men-burnett = Burnett
settings-choice-notation = Notation
settings-choice-notation-san = Sf3
settings-choice-notation-coordinates = g1f3
settings-choice-notation-descriptive = N-KB3
settings-choice-language = Sprache
settings-choice-language-auto = Wie der Browser

settings-tick-confirm = Jeden Zug auf dem Brett bestätigen
settings-tick-keys = Einzelne Tasten sind Befehle in der Partie
settings-tick-sound = Töne abspielen
settings-volume = Lautstärke
settings-percent = { $percent } %
settings-listen = Anhören

settings-notices = Benachrichtigungen
settings-tick-notices = Dieses Gerät benachrichtigen, wenn ich am Zug bin
settings-notices-about = Auch bei Herausforderungen und Nachrichten; nur solange keine Seite von dir offen ist. Eine Benachrichtigung sagt nichts über die Stellung.
settings-notices-refused = Der Browser erlaubt keine Benachrichtigungen dieses Klubs: Erlaube sie in seinen Einstellungen.
settings-notices-failed = Der Browser konnte keine Benachrichtigungen einrichten: Versuche es später noch einmal.
settings-notice-turn = Du bist am Zug
settings-notice-challenge = Du bist herausgefordert
settings-notice-message = Du hast eine Nachricht
