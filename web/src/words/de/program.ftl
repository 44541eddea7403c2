# Not reviewed: nobody but the translator has read these texts.

program-random = Zufallszüge
program-random-about = spielt zufällige Züge; fragt nie
program-random_any = Zufallszüge und Fragen
program-random_any-about = wie random, fragt aber jedes vierte Mal „Any?“; fragt manchmal nach der Zahl der Ablehnungen oder lässt die Ansagen wiederholen, benutzt px oder bietet Remis an, nimmt es an, lehnt es ab oder zieht es zurück
program-sparring = Sparringspartner
program-sparring-about = spielt wie level-4
program-semi-random = Zufallszüge, Schlagen zuerst
program-semi-random-about = spielt zufällige Züge, schlägt aber zuerst zurück, versucht Bauernschläge und fragt „Any?“; ein Maßstab
program-simple = Faustregeln
program-simple-about = schlägt zurück, wandelt um, spielt angesagte Bauernschläge, zieht sonst dorthin, wo die eigenen Figuren die meisten Felder erreichen; ein Maßstab
program-mcts = Baumsuche
program-mcts-about = Monte-Carlo-Baumsuche über Informationsmengen (Cowling, Powley und Whitehouse 2012); ein Maßstab
program-master = Meister
program-master-about = spielt auf Gewinn: wägt die möglichen Stellungen ab, vergleicht alle Versuche in denselben Stellungen, rechnet mit dem Zurückschlagen, setzt den blanken König matt
program-level-1 = Stufe 1 (Anfänger)
program-level-1-about = merkt sich wenig, übersieht viele Züge, denkt nicht ans Zurückschlagen
program-level-2 = Stufe 2 (leicht)
program-level-2-about = merkt sich etwas mehr, übersieht weniger Züge, denkt selten ans Zurückschlagen
program-level-3 = Stufe 3 (mittel)
program-level-3-about = übersieht manche Züge, denkt selten ans Zurückschlagen, vergisst oft, was es früher gehört hat
program-level-4 = Stufe 4 (schwer)
program-level-4-about = merkt sich mehr und ist selten unachtsam
program-level-5 = Stufe 5 (sehr schwer)
program-level-5-about = merkt sich das meiste, was es gehört hat
program-level-6 = Stufe 6 (am stärksten)
program-level-6-about = merkt sich alles, was es gehört hat, rechnet mit dem Zurückschlagen, setzt den blanken König matt
