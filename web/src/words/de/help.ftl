# Not reviewed: nobody but the translator has read these texts.

help-title = Tasten und Wörter
help-escape-key = Esc
help-escape = stellt die gewählte Figur zurück
help-words = Statt einen Knopf zu drücken, kannst du sein englisches Wort ins Feld schreiben; jetzt: { $words }.
help-key-field = springt ins Feld, in das man einen Versuch schreibt
help-key-last = liest die letzte Ansage noch einmal vor (Screenreader)
help-key-explain = erklärt die letzte Ansage und was noch gesagt werden kann
help-key-keys = zeigt diese Tasten
help-ask-men = eingegeben: wo deine Springer stehen (p und der Buchstabe einer Figur; p allein: alle deine Figuren)
help-ask-square = eingegeben: was du auf e4 hast (s a, s 4: auf einer Linie, auf einer Reihe)
help-ask-last = eingegeben: die letzte Ansage
help-ask-opponent = eingegeben: dein Gegner
help-ask-clocks = eingegeben: die Uhren
help-ask-game = eingegeben: deine Farbe und die Regeln
