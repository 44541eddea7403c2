# Not reviewed: nobody but the translator has read these texts.

rules-title = Kriegspiel Umpire: Regeln
rules-page-title = Kriegspiel Umpire: { $title }
rules-heading = Die Regelwerke
rules-lead = Alle Regelwerke sind Regeln des Kriegspiels. Sie unterscheiden sich darin, was der Schiedsrichter ansagt, wer es hört und was die Spieler fragen dürfen. Die Seite jedes Regelwerks erklärt seine Ansagen; in der Partie tut das der Knopf „Erklären“.
rules-learn = Neu beim Kriegspiel? Lern es in einer Viertelstunde
rules-usual = Die üblichen Regeln hier: Wild 16
rules-all = Alle Regelwerke
rules-loading = Wird geladen …
rules-missing = Dieses Regelwerk gibt es nicht

rules-columns-ruleset = Regelwerk
rules-columns-refusals = Wer einen abgelehnten Versuch hört
rules-columns-capture = Was beim Schlagen angesagt wird
rules-columns-tries = Was über deine Bauernschläge gesagt wird
rules-columns-check = Was bei Schach angesagt wird
rules-columns-asks = Du darfst fragen

rules-everybody = alle
rules-you-alone = nur du

rules-pawn-tries-silent = nichts
rules-pawn-tries-on-request = ob du einen hast, wenn du „Any?“ fragst
rules-pawn-tries-whether = ob du einen hast
rules-pawn-tries-count = wie viele du hast
rules-pawn-tries-squares = auf welchen Feldern
rules-pawn-tries-singles-and-doubles = auf welchen Feldern, und ob mit einem Bauern oder mit zweien

rules-capture-square-untold = { "" }
rules-capture-square-stood = das Feld der geschlagenen Figur
rules-capture-square-landing = das Feld, auf dem die schlagende Figur landet

rules-capture-man-untold = { "" }
rules-capture-man-kind = ob Bauer oder Figur
rules-capture-man-exact = welche Figur

rules-victim-only = nichts; wer die Figur verliert, sieht sie verschwinden
rules-that-there-was-one = dass geschlagen wurde

rules-check-silent = nichts
rules-check-bare = dass Schach gegeben wird
rules-check-directions = die Richtungen

rules-ask-any = Any?
rules-ask-count = nach der Zahl der Ablehnungen
rules-ask-recap = nach den letzten Ansagen
rules-ask-nothing = nichts

rules-every = Zwei Regelwerke im Vergleich
rules-first = Erstes Regelwerk
rules-second = Zweites Regelwerk
rules-choice = Was geregelt wird
rules-only-different = Nur die Unterschiede
rules-same = Diese Regelwerke unterscheiden sich nicht.
rules-calls = Was die Ansagen bedeuten
rules-notes = Wo die Quelle schweigt oder dieses Regelwerk von ihr abweicht
rules-sources = Quellen

rules-card-all = **Alle** hören, dass ein Versuch abgelehnt wurde: Dein Gegner erfährt, dass du etwas versucht hast.
rules-card-mover = **Nur du hörst deine Ablehnungen**: Dein Gegner erfährt nichts davon.
rules-card-no-questions = Keine Fragen an den Schiedsrichter.
rules-card-questions = Du darfst den Schiedsrichter fragen: { $all }.
rules-card-question-names-any = Any?
rules-card-question-names-count = Zahl der Ablehnungen
rules-card-question-names-recap = letzte Ansagen
rules-card-px = Ist ein einziger Bauernschlag angesagt, spielt ihn „Bauernschlag spielen“.
rules-card-link = Alle Regeln im Einzelnen

rules-differences-label = Wie sich { $title } von { $base } unterscheidet
rules-differences-same = Das sind die Regeln von [{ $base }](/rules/{ $id }), ohne Änderungen.
rules-differences-start = Die Partie beginnt in dieser Stellung, und beide Spieler kennen sie. { $side ->
    [white] Weiß
   *[other] Schwarz
} beginnt.
rules-differences-hall = Während der Partie darf ein Bildschirm in einem Saal allen dort das Brett des Schiedsrichters zeigen. Kein Spieler darf dort sein.
rules-differences-board = Die Anfangsstellung. Weiß: { $white }. Schwarz: { $black }.
rules-differences-changed = { $count ->
    [one] Die Regeln von [{ $base }](/rules/{ $id }) mit einer Änderung:
   *[other] Die Regeln von [{ $base }](/rules/{ $id }) mit { $count } Änderungen:
  }
rules-differences-instead = statt:
rules-differences-loading = Die Regeln werden gelesen …

rules-px = „Bauernschlag spielen“
rules-rule = die Regel

rules-question-count = Zahl der Ablehnungen („Wie oft wurde der Gegner abgewiesen?“): { $meaning }
rules-question-recap = Letzte Ansagen („Was wurde nach dem letzten Zug angesagt?“): { $meaning }

rules-part-attempts = Unmögliche Versuche
rules-part-illegal = Ein regelwidriger Versuch
rules-part-capture = Schlagen
rules-part-check = Schach
rules-part-tries = Bauernschläge
rules-part-promotion = Umwandlung
rules-part-captured = Geschlagene Figuren
rules-part-questions = Fragen
rules-part-end = Das Ende

rules-value-nonsense = Unsinn
rules-value-no = nein
rules-value-judged = wird beurteilt
rules-value-castling = Rochade
rules-value-answers = Abwehr
rules-value-none = keine
rules-value-try = versuchen
rules-value-make = schlagen
rules-value-three = drei
rules-value-truth = wird neu beurteilt
rules-value-repeat-no = nochmals nein
rules-value-mover = wer am Zug ist
rules-value-both = alle
rules-value-hell-no = nie und nimmer
rules-value-heck-no = ach was
rules-value-impossible = unmöglich
rules-value-kept = enthalten
rules-value-left-out = weggelassen
rules-value-victim = wer die Figur verliert
rules-value-capturer = wer schlägt
rules-value-untold = nicht angesagt
rules-value-stood = Standfeld
rules-value-landing = Zielfeld
rules-value-kind = Bauer oder Figur
rules-value-exact = genau
rules-value-silent = nichts
rules-value-said = angesagt
rules-value-bare = nur Schach
rules-value-directions = mit Richtung
rules-value-on-request = auf Anfrage
rules-value-whether = ob
rules-value-count = Anzahl
rules-value-squares = Felder
rules-value-singles-and-doubles = einfache und doppelte
rules-value-origin = Ausgangsfeld
rules-value-refused = abgelehnt
rules-value-same = dieselbe Antwort
rules-value-side = die Seite
rules-value-named = zu nennen
rules-value-queen-unless-named = Dame, wenn nichts genannt
rules-value-queen-only = nur Dame
rules-value-absent = nein
rules-value-aloud = laut
rules-value-present = ja
rules-value-drops = Einsetzen
rules-value-announced = erkannt
rules-value-unseen = nicht erkannt
rules-value-draw = Remis
rules-value-loses = verliert
rules-value-off = aus
rules-value-dead = tote Stellung
rules-value-one-minor-each = je eine Leichtfigur
rules-value-on = an
rules-value-shown = gezeigt
rules-value-withheld = nicht gezeigt

rules-own-from = Ausgehend von
rules-own-name = Name deiner Regeln
rules-own-name-of = { $title }, meine Fassung
rules-own-start = Anfangsstellung als FEN (leer: die gewöhnliche)
rules-own-hall = Ein Bildschirm in einem Saal darf das Brett des Schiedsrichters zeigen, wenn der Betreiber ihn einrichtet
rules-own-changed-count = { $count ->
    [one] · 1 Änderung
   *[other] · { $count } Änderungen
  }
rules-own-sees = Was dein Gegner sehen wird
rules-own-file = Die Regeln als Datei
rules-own-file-about = Kopiere diese Datei, um deine Regeln aufzubewahren, oder füg hier eine ein.
rules-own-import-export = Als Datei einlesen oder ausgeben
rules-own-download = Herunterladen
rules-own-show = Zeile { $line } zeigen
