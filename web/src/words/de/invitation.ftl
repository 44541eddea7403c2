# Not reviewed: nobody but the translator has read these texts.

invitation-title = Kriegspiel Umpire: eine Herausforderung
invitation-yours = Deine Herausforderung per Link
invitation-theirs = { $name } fordert dich heraus
invitation-random-colours = zufällige Farben
invitation-you-play = du spielst mit { chess-side }
invitation-you-would = du würdest mit { chess-side } spielen
invitation-send = Verschicke diesen Link. Du spielst gegen die erste Person, die ihn öffnet und annimmt. Die Partie öffnet sich dann hier von selbst.
invitation-link = Der Link
invitation-copy = Kopieren
invitation-copied = Kopiert
invitation-withdraw = Zurückziehen
invitation-taken = Diese Herausforderung gilt für eine Partie, und jemand hat sie schon angenommen. Laufenden Partien kannst du in der Lobby zuschauen.
invitation-accept = Annehmen und spielen
invitation-to-lobby = Zur Lobby
invitation-loading = Wird geladen …
invitation-missing = Diese Herausforderung gibt es nicht
