# Not reviewed: nobody but the translator has read these texts.

lobby-title = Kriegspiel Umpire: Lobby
lobby-headline = Schach im Dunkeln,
lobby-headline-second = mit Schiedsrichter.
lobby-lead = Du siehst nur deine eigenen Figuren. Versuch einen Zug: Der Schiedsrichter führt ihn aus oder sagt _nein_, wenn er regelwidrig ist. Seine Ansagen verraten dir nach und nach, wo die gegnerischen Figuren stehen.
lobby-learn = In fünfzehn Minuten lernen
lobby-play-now = Jetzt spielen
lobby-play-now-about = gegen ein Programm, das du besiegen kannst. Ohne Uhr, ohne Konto.
lobby-play-now-against = gegen **{ $program }**, und du kannst gewinnen. Ohne Uhr, ohne Konto.
lobby-play-again = Noch einmal
lobby-play-person = Gegen Menschen spielen
lobby-play-person-about = such einen Gegner oder fordere Freunde per Link heraus
lobby-problem = Aufgabe des Tages
lobby-problem-about = Erzwinge das Matt, ohne den Gegner zu sehen.
lobby-heading = Lobby
lobby-guest = Du spielst als Gast unter dem Namen { $name }. Mit einem Konto behältst du deine Partien.

lobby-sample-first = Du spielst e4.
lobby-sample-theirs = Schwarz hat gezogen.
lobby-sample-second = Du versuchst e5.
lobby-sample-why = Eine unsichtbare Figur steht im Weg. Versuch etwas anderes.
lobby-sample-label = Eine Partie, die von selbst läuft: Weiß auf dem Brett und ein durchkreuztes Feld nach einem Nein.
lobby-sample-start = Du siehst nur deine eigenen Figuren.
lobby-sample-no = Nein.
lobby-sample-guess = Also steht auf e5 eine schwarze Figur.
lobby-sample-third = Du spielst Sf3 und greifst sie an.
lobby-sample-pause = Anhalten
lobby-sample-play = Abspielen

lobby-loading = Wird geladen …
lobby-no-program = Gerade ist kein Programm da. Such dir unten einen Gegner oder fordere Freunde per Link heraus.
lobby-no-answer = { $name } hat noch nicht geantwortet; nach der Antwort öffnet sich die Partie von selbst.

lobby-mine-title = Deine Partien
lobby-mine-against = gegen { $name }
lobby-mine-your-turn = Du bist am Zug
lobby-mine-their-turn = { $name } ist am Zug
lobby-mine-adjourned = Partie vertagt
lobby-mine-clock = deine Uhr { $time }
lobby-mine-resume = Weiterspielen
lobby-mine-resume-label = Gegen { $name } weiterspielen
lobby-mine-open = Öffnen
lobby-mine-open-label = Die Partie gegen { $name } öffnen

lobby-challenges-title = Herausforderungen
lobby-challenges-by-you = Du forderst { $name } heraus
lobby-challenges-to-you = { $name } fordert dich heraus
lobby-challenges-withdraw = Zurückziehen
lobby-challenges-accept = Annehmen
lobby-challenges-decline = Ablehnen
lobby-challenges-declined = Deine Herausforderung an { $name } ist nicht mehr offen.
lobby-challenges-ok = OK

lobby-form-title = Neue Partie
lobby-form-ruleset = Regeln
lobby-form-rulesets = Alle Regelwerke
lobby-form-start-here = Zum Einstieg
lobby-form-card-wild16 = Wild 16
lobby-form-card-wild16-about = Du hörst, wie viele Bauernschläge du hast. Nur du hörst ein Nein.
lobby-form-card-english = Englisch, 1933
lobby-form-card-english-about = Frag „Any?“ vor einem Bauernschlag. Alle hören ein Nein.
lobby-form-card-rand = RAND, 1950
lobby-form-card-rand-about = Du hörst, wo Bauern schlagen können. Alle hören ein Nein.
lobby-form-card-crazykrieg = Crazyhouse
lobby-form-card-crazykrieg-about = Geschlagene Figuren wechseln die Seite und werden wieder eingesetzt.
lobby-form-own = Eigene Regeln …
lobby-form-more = Mehr:
lobby-form-all = [Alle Regelwerke vergleichen](/rules)
lobby-form-time = Bedenkzeit
lobby-form-custom = Eigene
lobby-form-days-about = Komm wieder, wann du willst: Der Club bewahrt die Partie auf, und die Liste deiner Partien beginnt mit denen, in denen du am Zug bist.
lobby-form-days-guest = Für Tage pro Zug brauchst du ein Konto, damit du wiederkommen kannst.
lobby-form-minutes = Minuten je Seite
lobby-form-seconds = Sekunden pro Zug
lobby-form-colour = Du spielst mit
lobby-form-colours-any = Zufall
lobby-form-colours-white = Weiß
lobby-form-colours-black = Schwarz
lobby-form-rated = Gewertet
lobby-form-rated-about = Das Ergebnis ändert die Wertungszahlen beider Spieler. Von den Programmen spielen nur die Stufen gewertet.
lobby-form-rated-guest = Für gewertete Partien brauchst du ein Konto.
lobby-form-rated-custom = Gewertet wird nur nach eingebauten Regelwerken.
lobby-form-people = Gegen Menschen
lobby-form-opponent = Gegner (leer: beliebig)
lobby-form-opponent-example = ein Spielername
lobby-form-find = Gegner suchen
lobby-form-challenge = { $name } herausfordern
lobby-form-invite = Freunde per Link herausfordern
lobby-form-device = Zu zweit an diesem Gerät
lobby-form-found = Deine Herausforderung steht in der Liste. Die Partie öffnet sich hier, sobald jemand annimmt.
lobby-form-unread = Der Club kann deine Regeln noch nicht lesen: Der Fehler steht darunter.
lobby-form-wrong-minutes = „Minuten je Seite“ muss zwischen 0,5 und 180 liegen.
lobby-form-wrong-seconds = „Sekunden pro Zug“ muss zwischen 0 und 180 liegen.

lobby-seeks-title = Offene Herausforderungen
lobby-seeks-none = Gerade wartet niemand auf einen Gegner. Mach den Anfang oder spiel gegen ein Programm.
lobby-seeks-make = Partie anbieten
lobby-seeks-you = Du
lobby-seeks-play = Spielen
lobby-seeks-play-label = Gegen { $name } spielen

lobby-programs-title = Gegen ein Programm
lobby-programs-others = Andere Programme
lobby-programs-play-label = Mit deinen Einstellungen gegen { $name } spielen
lobby-programs-about = Beginnt sofort, mit den Einstellungen unten. Die Zahl ist eine Wertungszahl unter Programmen.
lobby-programs-rating = Wertung { $points }
lobby-programs-rating-range = Wertung { $points } ({ $low } bis { $high })

lobby-here = Gerade hier
lobby-running-title = Laufende Partien
lobby-running-none = Sonst läuft gerade keine Partie.
lobby-running-players = { $white } – { $black }
lobby-running-watch = Zuschauen
lobby-running-watch-label = Bei { $white } gegen { $black } zuschauen

lobby-finished-title = Beendete Partien
lobby-finished-see = Analyse
lobby-finished-see-label = Die Partie gegen { $name } analysieren
lobby-finished-see-both = Die Partie { $white } gegen { $black } analysieren
lobby-all-games = Alle beendeten Partien
lobby-evenings = Abende
lobby-more = Mehr im Club

lobby-terms-refusals-mover = nur du hörst deine Ablehnungen
lobby-terms-refusals-all = alle hören abgelehnte Versuche
lobby-terms-rated = gewertet
lobby-terms-you-play = du spielst mit { chess-side }
lobby-terms-they-play = spielt mit { chess-side }
lobby-terms-custom = { $id } (eigene Regeln)
lobby-terms-start = ab einer gegebenen Stellung
lobby-terms-changed = { $count ->
    [0] { $title } ({ $base })
    [one] { $title } ({ $base } mit einer Änderung)
   *[other] { $title } ({ $base } mit { $count } Änderungen)
  }

lobby-their-rules-title = Eigene Regeln von { $by }
lobby-their-rules-play = Mit diesen Regeln spielen
lobby-their-rules-cancel = Abbrechen
