# Not reviewed: nobody but the translator has read these texts.

talk-title = Nachrichten

talk-with-players = mit deinem Gegner
talk-with-spectators = der Zuschauer

talk-fresh = { $count } neu
talk-log = Nachrichten
talk-nothing = Noch hat niemand etwas geschrieben.

talk-about-player = Was du hier schreibst, liest nur dein Gegner. Zuschauer lesen es nicht.
talk-about-spectator = Was du hier schreibst, lesen nur Zuschauer. Die Spieler lesen es nach der Partie.
talk-about-after = Wähl, wer deine Nachricht liest: dein Gegner oder alle hier.

talk-to = An

talk-groups-players = Deinen Gegner
talk-groups-spectators = Alle hier

talk-text = Deine Nachricht
talk-send = Senden
talk-line = { $from }: { $text }
talk-mute = { $name } blockieren
talk-unmute = { $name } nicht mehr blockieren
talk-muted = Du blockierst { $name }: Du liest keine Nachrichten von { $name }, und ihr könnt euch weder schreiben noch herausfordern.

talk-waiting-title = Nachrichten für dich
talk-waiting-from = { $name }, { $when }
talk-waiting-remove = Diese Nachrichten löschen
talk-waiting-reply = { $name } antworten
talk-waiting-write = Jemandem schreiben
talk-waiting-about = Deine Nachricht wird beim nächsten Besuch in diesem Club gelesen.
talk-waiting-name = Name
talk-waiting-left = Deine Nachricht wartet auf { $name }.
