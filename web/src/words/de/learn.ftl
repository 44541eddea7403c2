# Not reviewed: nobody but the translator has read these texts.
# Lessons: the list, and a lesson.

learn-title = Kriegspiel lernen
learn-page-title = Kriegspiel Umpire: Lernen
learn-step-title = Lernen: { $title }
learn-lead = Schach, bei dem du nur deine eigenen Figuren siehst. Ein Schiedsrichter sieht alles und antwortet auf jeden Versuch. Zwölf kurze Schritte, etwa fünfzehn Minuten; ohne Konto.
learn-start = { $begun ->
    [true] Weiter
   *[false] Anfangen
  }
learn-done-count = { $done } von { $count } auf diesem Gerät geschafft
learn-done = , geschafft
learn-loading = Wird geladen …
learn-nowhere = Diese Lektion gibt es nicht
learn-all = Alle Lektionen
learn-study = Eine eigene Partie studieren
learn-moves-left = { $left ->
    [one] Du hast einen Zug
   *[other] Du hast höchstens { $left } Züge
  }
learn-stood = Das Brett, wie der Schiedsrichter es sieht
learn-reached = Richtig!
learn-missed = Diesmal nicht.
learn-missed-about = Das Brett zeigt, wo die schwarzen Figuren stehen: Du konntest sie nicht sehen.
learn-again = Noch einmal
learn-over = Von vorn
learn-next = Nächster Schritt
learn-play = Eine Partie spielen
learn-guess-first = Setz zuerst eine Vermutung auf { $square }.
learn-board-stood = Das stand da. Weiß: { $white }. Schwarz: { $black }.

learn-title-refusal = Ein abgelehnter Zug
learn-task-refusal = Du siehst nur deine eigenen Figuren. Ta8 setzt matt, wenn nichts dazwischen steht: Versuch es. Nach „Nein“ zählt der Zug nicht, und du versuchst einen anderen.
learn-missed-refusal = Versuch zuerst Ta8: Ein „Nein“ kostet nichts und sagt dir etwas.
learn-after-refusal = Auf a5 stand ein Springer. „Nein“ hat dir gesagt, dass zwischen a1 und a8 etwas steht, und du bliebst am Zug. Nach diesen Regeln hat dein Gegner es nicht gehört.

learn-title-question = „Nein“ als kostenlose Frage
learn-task-question = Auf der d-Linie steht eine schwarze Figur. Schlag sie mit deinem einzigen Zug: Versuch zuerst das fernste Feld und komm nach jedem „Nein“ näher.
learn-missed-question = Dieser Zug war erlaubt, also war dein Zug vorbei. Fang auf d8 an und komm nach jedem „Nein“ näher.
learn-after-question = Auf d5 stand ein Springer. Die Versuche auf d8, d7 und d6 waren kostenlose Fragen. Ein Zug nach d2, d3 oder d4 wäre erlaubt gewesen, und dann wärst du nicht mehr am Zug.

learn-title-pawn-try = Der Bauernschlag
learn-task-pawn-try = „Du hast 1 Bauernschlag“: Einer deiner Bauern kann etwas schlagen, auf genau eine Art. Welcher? Versuch zu schlagen, bis ein Versuch nicht abgelehnt wird. Ein Schritt geradeaus würde deinen Zug verbrauchen.
learn-missed-pawn-try = Dieser Zug war erlaubt und schlug nichts, also war dein Zug vorbei. Versuch nur zu schlagen: Ein abgelehnter Versuch kostet nichts.
learn-after-pawn-try = Ein Bauernschlag ist ein erlaubter Schlagzug eines Bauern. Nach „Du hast keinen Bauernschlag“ wüsstest du, dass auf a5, c5, d5, f5, f4 und h4 keine schwarze Figur steht.

learn-title-check = Schach, und woher
learn-task-check = „Schach auf der Linie“: Ein Turm oder eine Dame greift deinen König auf der e-Linie an. Beantworte das Schach mit deinem ersten Versuch.
learn-missed-check = Auf der e-Linie bleibt dein König im Schach. Stell etwas dazwischen oder verlass die Linie.
learn-after-check = Auf e8 stand ein Turm. Der Schiedsrichter nennt die Richtung von deinem König aus. Das hat dir gesagt, dass ein Schritt auf der Linie nicht hilft: Stell etwas dazwischen oder verlass die Linie.

learn-title-diagonals = Die kurze und die lange Diagonale
learn-task-diagonals = „Schach auf der kurzen Diagonale“. Auf dem Feld deines Königs kreuzen sich zwei Diagonalen: e1–a5 hat fünf Felder, c1–h6 hat sechs. Stell einen Bauern auf die kurze, gleich neben deinen König, mit deinem ersten Versuch.
learn-missed-diagonals = Nur c3 liegt auf der kurzen Diagonale gleich neben deinem König. Weiter weg kann der Angreifer selbst stehen.
learn-after-diagonals = Auf b4 stand ein Läufer. Zähl die Felder beider Diagonalen durch deinen König: Die mit weniger Feldern ist die kurze.

learn-title-recapture = Zurückschlagen
learn-task-recapture = Dein Springer auf f3 ist weg. Der Schiedsrichter nennt das Feld, auf dem geschlagen wurde, also weißt du, wo jetzt eine schwarze Figur steht. Schlag sie.
learn-missed-recapture = Die Figur, die deinen Springer geschlagen hat, steht auf f3: Schlag sie dort.
learn-after-recapture = Ein Läufer hatte geschlagen. Nach jedem Verlust kennst du einen Zug lang ein Feld sicher: Sieh zuerst nach, ob du zurückschlagen kannst.

learn-title-guess = Vermutungen
learn-task-guess = „Schach durch einen Springer“: Er steht auf e2, f3 oder h3, und auf zweien davon stehen deine eigenen Bauern. Setz einen schwarzen Springer aus dem Figurenkasten auf das Feld, das bleibt, und schlag ihn dann.
learn-missed-guess = Der Springer kann nur auf e2 stehen: Schlag ihn mit dem Turm.
learn-after-guess = Der Springer stand auf e2: Ein anderes Feld blieb nicht. Vermutungen sind deine Notizen: Sie bleiben auf diesem Gerät, und der Schiedsrichter beachtet sie nicht.

learn-title-any = „Any?“ und sein Preis
learn-task-any = Nach den englischen Regeln fragst du nach Bauernschlägen. Frag „Any?“ und schlag mit einem Bauern. Nach „Ja“ musst du zuerst einen Bauernschlag versuchen.
learn-missed-any = Frag „Any?“, bevor du schlägst: Die Frage gehört zu diesem Schritt.
learn-after-any = Auf e5 stand ein Bauer. Der Preis: Dein Gegner hat Frage und Antwort gehört, und du musstest es versuchen. Frag, wenn du schlagen willst.

learn-title-protect = Decken, bevor du den Angriff siehst
learn-task-protect = Ist dein Springer auf e5 angegriffen? Du kannst es nicht wissen. Deck ihn mit deinem ersten Zug. Schlägt Schwarz ihn, schlag mit dem zweiten zurück.
learn-missed-protect = Eine deiner Figuren muss auf e5 schlagen können: ein Turm auf e1 oder ein Bauer auf d4 oder f4.
learn-after-protect = Ein Läufer auf g7 hatte ihn im Blick. Deck, was wichtig ist, bevor es angegriffen wird, lieber zweimal als einmal: Dann kostet jedes Schlagen auch Schwarz eine Figur.

learn-title-lone-king = Einen König matt setzen, den du nicht siehst
learn-task-lone-king = Schwarz hat nur den König, oberhalb deiner Türme: auf der 6., 7. oder 8. Reihe. Ein Turm sperrt eine Reihe, während der andere an ihm vorbeirückt. Setz matt.
learn-missed-lone-king = Ein Turm bleibt auf seiner Reihe, der andere gibt auf der nächsten Schach. Halt Abstand vom König und lass ihm einen Zug, wenn er nicht im Schach steht.
learn-after-lone-king = Du hast den König nie gesehen. Eine gesperrte Reihe hält ihn fern, und jedes Schach hat dir die Reihe genannt, auf der er stand.

learn-title-stalemate = Patt, die Falle
learn-task-stalemate = Schwarz hat nur den König, auf h7 oder h8. Ohne erlaubten Zug und ohne Schach ist es Patt, also Remis. Setz den König auf beiden Feldern matt.
learn-missed-stalemate = Gib von weitem Schach auf der h-Linie: Das setzt auf beiden Feldern matt.
learn-after-stalemate = Schach auf der h-Linie setzt auf h7 und auf h8 matt. Dg6 wäre Patt gewesen, weil der König auf h8 stand. Nimm einem König, den du nicht siehst, die Felder mit Schach.

learn-title-queen = König und Dame gegen König
learn-task-queen = Deine Dame auf a7 hält den schwarzen König auf der letzten Reihe. Bring deinen König heran. Wird ein Zug deines Königs abgelehnt, steht der andere König neben diesem Feld. Setz matt.
learn-missed-queen = Bring deinen König neben den schwarzen, bevor du matt setzt. Lass dem schwarzen König einen Zug, wenn er nicht im Schach steht: Ohne Zug ist es Patt.
learn-after-queen = Ein „Nein“ auf einen Schritt deines Königs hat dir gesagt, dass der schwarze König neben diesem Feld stand, und zwei davon, wo. Frag mit Zügen, die du auch gern machen würdest.
