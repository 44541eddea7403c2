# Not reviewed: nobody but the translator has read these texts.

people-page-title = Kriegspiel Umpire: { $title }
people-kind = { $kind ->
    [program] Programm
    [guest] Gast
   *[person] Dabei
  } seit { $day }
people-loading = Wird geladen …

people-challenge = { $name } herausfordern
people-block = { $name } blockieren
people-unblock = { $name } nicht mehr blockieren
people-blocked = Du blockierst { $name }: Ihr könnt euch nicht herausfordern, keine offenen Herausforderungen voneinander annehmen und euch nicht schreiben.
people-report = Fair Play: { $name } melden
people-fair-play = In einer Partie spielst du allein: ohne Hilfe von Programmen oder anderen und ohne zweites Konto, das zusieht. Was du beginnst, spielst du zu Ende oder gibst auf; der Ton bleibt höflich. Eigene Notizen aus früheren Partien sind erlaubt. Hält sich jemand nicht daran, sag es dem Betreiber; sonst erfährt es niemand.
people-report-text = Was geschehen ist, und in welcher Partie
people-report-send = Melden
people-reported = Die Meldung ist angekommen.
people-about = Über dich
people-about-hint = Eine Zeile, für alle sichtbar
people-save = Speichern
people-saved = Gespeichert.

people-ratings = Wertungszahlen
people-against = { $kind ->
    [programs] Gegen Programme
   *[people] Gegen Menschen
  }
people-no-ratings = { $yours ->
    [true] Du hast noch keine Wertungszahl. Spiel eine gewertete Partie: Kreuz im Formular für eine neue Partie „Gewertet“ an.
   *[false] Noch keine gewertete Partie.
  }
people-no-ratings-guest = Gäste haben keine Wertungszahl: Für gewertete Partien braucht man ein Konto.
people-new-game = Neue Partie
people-provisional = vorläufig
people-provisional-about = Wenige gewertete Partien oder lange keine mehr: Diese Zahl ist noch unsicher.
people-deviation = ± { $deviation }
people-deviation-label = Abweichung { $deviation }
people-curve = { $count ->
    [one] Wertungszahl { $last } nach einer Änderung.
   *[other] Wertungszahl über { $count } Änderungen: von { $first } auf { $last }, niedrigste { $low }, höchste { $high }.
  }
people-corrected = Vom Betreiber am { $day } auf { $points } berichtigt.
people-fixed = In Partien zwischen Programmen gemessen und festgelegt.
people-changes = Alle Änderungen
people-date = Datum
people-rating = Wertung
people-change = Änderung
people-cause = Durch
people-cause-game = eine Partie
people-cause-operator = den Betreiber
people-cause-fixed = Messung

people-record = Ergebnisse nach Regeln
people-record-none = Noch keine beendete Partie mit Ergebnis.
people-opponents = Gegner
people-opponent = Gegner
people-ruleset = Regeln
people-total = Gesamt
people-score-signs = + gewonnen, = remis, − verloren
people-score = { $won } gewonnen, { $drawn } remis, { $lost } verloren

people-last-games = Letzte Partien
people-all-games = Alle Partien
people-games-none = Noch keine beendete Partie.

people-family = { $family ->
    [wild16] Wild 16
    [rand] RAND
    [berkeley] Berkeley und Englisch
    [ks] ks und KSREF
    [crazykrieg] Crazyhouse
   *[other] { $family }
  }
people-family-about = { $family ->
    [wild16] Nur du hörst deine Ablehnungen.
    [rand] Alle hören Ablehnungen und wo geschlagen wird; Bauernschläge werden angesagt.
    [berkeley] Alle hören Ablehnungen und wo geschlagen wird; Bauernschläge nur auf Anfrage oder gar nicht.
    [ks] Wo geschlagen wird, musst du selbst herausfinden.
   *[crazykrieg] Geschlagene Figuren kommen aufs Brett zurück.
  }

people-leaderboard = Rangliste
people-leaderboard-about = Die 100 höchsten Wertungszahlen, ohne vorläufige.
people-cross = Kreuztabelle.
people-cross-about = Jede Zeile: Punkte in Prozent gegen das Programm der Spalte, mit dem 95-%-Intervall. Alle beendeten Partien dieser Regeln.
people-cross-score = { $percent } % ± { $range }
people-families = Regeln
people-listed = Liste
people-listed-kind = { $kind ->
    [programs] Programme
   *[people] Menschen
  }
people-opposing = Wertung
people-place = Platz
people-name = Name
people-you = du
people-board-none = { $kind ->
    [programs] In dieser Liste ist noch kein Programm.
   *[people] In dieser Liste ist noch niemand. Spiel gewertete Partien und sei die Nummer eins.
  }
people-not-listed = Du stehst nicht in dieser Liste. Gelistet wird eine Wertungszahl, sobald sie nicht mehr vorläufig ist: Spiel gewertete Partien.
people-your-profile = Dein Profil

people-games = Beendete Partien
people-search = Suchen
people-player = Spieler (leer: alle)
people-result = Ergebnis
people-any = Alle
people-results-won = Gewonnen
people-results-lost = Verloren
people-results-white = Weiß hat gewonnen
people-results-black = Schwarz hat gewonnen
people-results-draw = Remis
people-results-none = Abgebrochen
people-since = Von
people-until = Bis
people-found-none = Keine beendete Partie passt dazu.
people-found = { $more ->
    [true] { $count } Partien, und es gibt ältere.
   *[false] { $count ->
        [one] 1 Partie.
       *[other] { $count } Partien.
      }
  }
people-clear = Zurücksetzen
people-older = Ältere Partien

people-ended = { $before ->
    [none] { $name }: { $after } (erste Wertungszahl)
   *[other] { $name }: { $before } → { $after } ({ $by })
  }
people-ended-title = Wertung, { people-family }:
people-ended-none = Diese Partie ändert keine Wertungszahl.

people-operator = Die Seite des Betreibers
people-operator-reports = Offene Meldungen
people-operator-days = Neue
people-operator-name = Name eines Kontos
people-operator-command = { $command ->
    [notes] Meldungen und Notizen
    [figures] Die letzten Partien mit der Engine vergleichen
    [mute] Keine Nachrichten mehr schreiben lassen
    [unmute] Wieder schreiben lassen
    [disable] Niemanden mehr anmelden lassen
    [enable] Anmelden wieder erlauben
    [rate] Eine Wertungszahl berichtigen
    [end] Eine Partie ohne Ergebnis beenden
   *[note] Eine Notiz aufheben
  }
people-operator-what = { $command ->
    [end] Nummer der Partie
   *[rate] Familie, Gegner und Wertungszahl: wild16 people 1500
  }
people-operator-because = Grund, für die Notizen
people-operator-act = Was zu tun ist
people-operator-do = Ausführen
