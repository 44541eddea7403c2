# Not reviewed.

# Studien: Partien aus Dateien, mit Kommentaren.

study-title = Eine Partie studieren
study-page-title = Kriegspiel Umpire: { $name }
study-lead = Öffne jede aufgeschriebene Partie: PGN, ein Protokoll oder eine gedruckte Notation. Du siehst alle drei Bretter, was jeder gehört hat und wissen konnte, und was jeder Zug wert war.
study-example = Die Partie von 1971: Hayes – Juhasz
study-file = Datei
study-text = Oder der Text der Datei
study-rules = Regeln
study-rules-of-file = Wie in der Datei
study-open = Öffnen
study-games = { $count } Partien: Wähle eine
study-line = Die Partie in Zeile { $line }
study-damaged = Nicht lesbar: { $fault }
study-own = Deine Studien
study-public = Öffentliche Studien
study-loading = Wird geladen ...
study-about = { $white } gegen { $black }, { $rules }
study-by = { "." } Studie von { $name }
study-chapters = Kapitel
study-chapter = Kapitel { $n }
study-comment = Kommentar zu Schritt { $step }
study-drawings = Gezeichnet zu Schritt { $step }: Felder und Pfeile wie e4 e2e4
study-keep-title = Titel, Zeichnungen, behalten
study-name = Titel der Studie
study-chapter-name = Titel des Kapitels
study-who = Wer sie lesen darf
study-access = { $access ->
    [private] nur du
    [link] wer den Link hat
   *[public] alle
  }
study-save = Speichern
study-saved = Gespeichert.
study-changed = Noch nicht gespeichert.
study-add = Kapitel hinzufügen
study-delete = Löschen
study-delete-sure = Diese Studie mit allen Kapiteln löschen?
study-guest = Mit einem Konto kannst du diese Studie behalten.
study-all = Alle Studien
study-position = Eine Stellung aufbauen
study-position-title = Eine Stellung
study-position-lead = Frage, was möglich ist und ob Matt erzwingbar ist: Baue eine Stellung auf und schreibe, wenn du magst, was jemand seitdem gehört hat.
study-position-board = Weiß: { $white }. Schwarz: { $black }.
study-position-man = { chess-side }: { chess-man }
study-position-remove = Entfernen
study-position-kings = Nur Könige
study-position-usual = Die Grundstellung
study-position-seat = Wer fragt
study-position-moves = Am Zug
study-position-unknown = Die Figuren des Gegners stehen auf unbekannten Feldern
study-position-fen = FEN
study-position-heard = Was { chess-side } seitdem gehört hat
study-position-heard-about = In den Kurzformen der Protokolle, etwa: moved w e2e4, tries 0, turn b, moved b, tries 1, turn w
study-position-ask = Was ist möglich?
study-men = Die Figuren des Gegners, wenn die Datei eines Spielers sie nicht zeigt: KQRRPPP
study-one = Was { chess-side } gehört hat, { $rules }
study-draw = Zeichnen
study-draw-about = Drücke auf ein Feld, oder ziehe von Feld zu Feld. Noch einmal entfernt es.
