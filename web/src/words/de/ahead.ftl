# Not reviewed: nobody but the translator has read these texts.

ahead-about = Der Club macht sie für dich, in dieser Reihenfolge einen in jedem deiner Züge. Niemand sonst merkt es. Sie enden, wenn ein Versuch abgelehnt wird oder etwas anderes angesagt wird, als du hier erwartest.
ahead-now = Du bist am Zug: Der erste davon wird sofort gemacht.
ahead-try = Versuch
ahead-when = Wenn der Zug des Gegners
ahead-if-quiet = nichts schlägt und kein Schach gibt
ahead-if-recapture = auf diesem Feld schlägt
ahead-if-capture = eine Figur von dir schlägt
ahead-taken-on = auf { $square } schlägt
ahead-if-check = Schach gibt
ahead-if-any = irgendein Zug ist
ahead-or = Nur wenn der Versuch davor nicht gespielt wird
ahead-or-else = oder sonst
ahead-add = Hinzufügen
ahead-remove = { $what } entfernen
ahead-over = Die Versuche im Voraus sind zu Ende.
