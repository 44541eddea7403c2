# Not reviewed: nobody but the translator has read these texts.

game-untitled = Eine Partie
game-page-title = { $yours ->
    [true] Du bist am Zug: { $white } gegen { $black }
   *[false] { $white } gegen { $black }
  }
game-heading = { $white } gegen { $black }
game-missing = Diese Partie gibt es nicht
game-loading = Die Partie wird geladen …
game-calls = Ansagen
game-nothing-yet = Noch nichts.
game-to-lobby = Zur Lobby
game-keep-games = Erstelle ein Konto, um deine Partien zu behalten

game-call-label = Letzte Ansage
game-call-over = Die Partie ist zu Ende
game-call-adjourned = Partie vertagt. Die Uhren stehen
game-call-asking = Der Schiedsrichter wird gefragt …
game-call-first-move = erster Zug binnen { $time }
game-call-your-turn = Du bist am Zug
game-call-to-move = { chess-side } am Zug
game-call-thinking = { chess-side } überlegt
game-call-loading = Die Partie wird geladen.
game-call-explain = Erklären
game-call-explain-label = Die Ansagen erklären

game-reason-impossible-label = Unmöglicher Zug
game-reason-impossible = { $move } ist unmöglich
game-reason-impossible-spoken = { $move } ist unmöglich: Das zeigen deine eigenen Figuren und die Ansagen. Der Schiedsrichter wurde nicht gefragt.
game-reason-not-asked = Das zeigen deine eigenen Figuren und die Ansagen; deshalb wurde der Schiedsrichter nicht gefragt.
game-reason-insist = Trotzdem fragen
game-reason-confirm-label = Den Zug bestätigen
game-reason-confirm = { $move } versuchen?
game-reason-confirm-spoken = { $move } versuchen? Mach denselben Zug noch einmal oder drück „Versuchen“.
game-reason-send = Versuchen
game-reason-take-back = Zurücknehmen
game-reason-again = Mach denselben Versuch noch einmal, um trotzdem zu fragen.
game-reason-again-heard = Mach denselben Versuch noch einmal, um trotzdem zu fragen; alle hören dann, dass ein Versuch abgelehnt wurde.
game-reason-not-done = Nicht ausgeführt
game-reason-unconfirmed = Nicht bestätigt
game-reason-why-label = Warum
game-reason-why-not = Warum nicht { $move }?
game-reason-means-label = Was das bedeutet
game-reason-unheard = Dein Gegner hat davon nichts gehört.
game-reason-next = { $free ->
    [true] Nichts ist verloren: Versuch etwas anderes.
   *[false] Versuch etwas anderes.
  }
game-reason-understood = OK
game-reason-adjourned = Partie vertagt
game-reason-adjourned-text = Die Uhren stehen. Du findest die Partie in der Lobby unter „Deine Partien“. Sie geht weiter, wenn beide „Fortsetzen“ gedrückt haben.
game-reason-begin-label = So fängst du an
game-reason-begin = Versuch irgendetwas
game-reason-begin-text = { $free ->
    [true] Die gegnerischen Figuren siehst du nicht. Zieh eine Figur, tipp Figur und Feld an oder schreib den Zug. Ist er regelwidrig, sagt der Schiedsrichter nein, und du versuchst es noch einmal; das kostet nichts. „Erklären“ sagt, was seine Worte bedeuten.
    [false] Die gegnerischen Figuren siehst du nicht. Zieh eine Figur, tipp Figur und Feld an oder schreib den Zug. Ist er regelwidrig, sagt der Schiedsrichter nein, und du versuchst es noch einmal; aber alle hören, dass ein Versuch abgelehnt wurde. „Erklären“ sagt, was seine Worte bedeuten.
   *[none] Die gegnerischen Figuren siehst du nicht. Zieh eine Figur, tipp Figur und Feld an oder schreib den Zug. Ist er regelwidrig, sagt der Schiedsrichter nein, und du versuchst es noch einmal. „Erklären“ sagt, was seine Worte bedeuten.
  }
game-reason-watch-label = Was Zuschauer hören
game-reason-watch = Du schaust zu
game-reason-watch-text = Du hörst, was der Schiedsrichter allen ansagt. Solange die Partie läuft, sind die Figuren beider Seiten verborgen, denn Zuschauer könnten sie verraten. Das zuletzt genannte Feld ist markiert. Nach der Partie zeigen hier drei Bretter alles.
game-reason-box-label = Grund

game-board-empty = Ein leeres Brett: Zuschauer hören nur Ansagen
game-board-yours = Deine Figuren: { $men }.
game-board-guesses = {" "}Deine Vermutungen: { $men }.
game-board-end = Das Ende. Weiß: { $white }. Schwarz: { $black }.
game-umpire-title = Das Brett des Schiedsrichters
game-umpire-board = Das Brett des Schiedsrichters. Weiß: { $white }. Schwarz: { $black }.
game-umpire-when = { $live ->
    [true] live
   *[false] eine beendete Partie, nachgespielt
  }
game-board-squares = Felder: mit den Pfeiltasten gehen, mit der Eingabetaste aufnehmen und absetzen
game-board-own = { $man ->
    [queen] deine Dame
   *[other] dein { chess-man }
  }
game-board-guess = { $man ->
    [queen] deine Vermutung, Dame
   *[other] deine Vermutung, { chess-man }
  }
game-board-theirs = { $man ->
    [queen] Dame des Gegners
   *[other] { chess-man } des Gegners
  }
game-board-nothing = leer
game-board-picked = aufgenommen
game-board-marks-check = im Schach
game-board-marks-line = in der Richtung des Schachs
game-board-marks-jump = von hier kann ein Springer Schach geben
game-board-marks-told = hier wurde eine Figur geschlagen
game-board-marks-goal = Bauernschlag
game-board-marks-meant = hat vielleicht einen Bauernschlag
game-board-marks-refused = abgelehnt
game-board-marks-mine = dein letzter Zug

game-end-label = Nach der Partie
game-end-tallies = { game-end-moves } · { game-end-tries }, { $refused } abgelehnt
game-end-moves = { $moves ->
    [one] 1 Zug
   *[other] { $moves } Züge
  }
game-end-tries = { $tries ->
    [one] 1 Versuch
   *[other] { $tries } Versuche
  }
game-end-aborted = Eine Partie wird abgebrochen, wenn ein erster Zug nicht rechtzeitig kommt oder ein Spieler sie früh beendet.
game-end-another = Neuer Gegner
game-end-review = Analyse
game-end-share = Teilen
game-end-copied = Der Link ist kopiert.

game-seat-you = du
game-seat-program = Programm
game-seat-away = abwesend
game-seat-clock = Uhr von { chess-side }

game-field-label = Versuch eingeben
game-field-send = Versuchen
game-field-example = e4, Sf3, O-O
game-field-help = Oder frag: **p s** wo stehen meine Springer, **s e4** was steht auf e4, **l** letzte Ansage, **?** alle Fragen.
game-field-key = Taste /.{" "}

game-answers-nothing = { $square }: keine Figur von dir und keine Vermutung.
game-answers-yours = { $square }: { game-board-own }.
game-answers-guess = { $square }: { game-board-guess }.
game-answers-men = { $name } { $squares }.
game-answers-no-men = { $man ->
    [queen] Du hast keine Dame.
    [pawn] Du hast keinen Bauern.
   *[other] Du hast keinen { chess-man }.
  }
game-answers-opponent = Dein Gegner: { $name }.
game-answers-watching = Du schaust dieser Partie zu.
game-answers-playing = { $side ->
    [none] Du schaust zu; Regeln: { $rules }.
   *[other] Du spielst mit { chess-side }; Regeln: { $rules }.
  }
game-answers-clocks = Weiß { $white }, Schwarz { $black }.
game-answers-no-clock = Diese Partie hat keine Uhr.
game-answers-paused = Die Uhren stehen.
game-answers-questions = Schreib p und eine Figur (p s: Springer), s und ein Feld, eine Linie oder eine Reihe (s e4, s a, s 4), l (letzte Ansage), o (Gegner), c (Uhren), i (diese Partie).

game-acts-adjourn = Du bietest an, die Partie zu vertagen. Sie läuft weiter, bis dein Gegner annimmt.
game-acts-resume = Du bietest an, die Partie fortzusetzen. Die Uhren stehen, bis dein Gegner annimmt.
game-acts-decline-adjourn = Das Angebot ist nicht mehr offen.
game-acts-rematch = Du bietest eine Revanche mit vertauschten Farben an.
game-acts-decline-rematch = Das Revancheangebot ist nicht mehr offen.

game-refused = Unmögliche Züge
game-reserve = Reserve
game-reserve-label = Deine Reserve, zum Einsetzen
game-drop = { $man ->
    [pawn] Bauern einsetzen: { $count } in Reserve
   *[other] { chess-man } einsetzen: { $count } in Reserve
  }
game-ask = Den Schiedsrichter fragen
game-at-table = Partie
game-more = Mehr
game-answer-offer = Antworten
game-keys = Tasten
game-your-men = Deine Figuren
game-ahead-title = { $count ->
    [0] Versuche im Voraus
   *[other] Versuche im Voraus ({ $count })
  }
game-first-move = { $yours ->
    [true] Mach deinen ersten Zug (noch { $time }), sonst wird die Partie abgebrochen.
   *[false] Der erste Zug muss jetzt kommen (noch { $time }), sonst wird die Partie abgebrochen.
  }
game-claim-from = { $away ->
    [true] Dein Gegner ist abwesend. Ab { $moment } (noch { $time }) kannst du Sieg oder Remis beanspruchen.
   *[false] Dein Gegner hat nicht gezogen. Ab { $moment } (noch { $time }) kannst du Sieg oder Remis beanspruchen.
  }
game-claim-now = { $away ->
    [true] Dein Gegner ist abwesend. Du kannst Sieg oder Remis beanspruchen oder warten.
   *[false] Dein Gegner hat nicht gezogen. Du kannst Sieg oder Remis beanspruchen oder warten.
  }
game-draw-offer = { $yours ->
    [true] Du bietest Remis an.
   *[false] Dein Gegner bietet Remis an.
  }
game-adjourn-offer = { $yours ->
    [true] Du bietest an, die Partie { game-adjourn-what }.
   *[false] Dein Gegner bietet an, die Partie { game-adjourn-what }.
  }
game-adjourn-what = { $adjourned ->
    [true] fortzusetzen
   *[false] zu vertagen
  }
game-rematch-offer = { $yours ->
    [true] Du bietest eine Revanche an.
   *[false] Dein Gegner bietet eine Revanche an.
  }
game-accept-rematch = Revanche annehmen
game-next-game = Zur nächsten Partie
game-adjourned-spoken = Partie vertagt. Die Uhren stehen.
game-resumed-spoken = Die Partie geht weiter.
game-refusals-mover = nur du hörst deine Ablehnungen
game-refusals-all = alle hören abgelehnte Versuche
game-differences = Was an diesen Regeln anders ist

game-promotion-title = Den Bauern umwandeln in
game-promotion-as-it-is = So lassen
game-promotion-cancel = Abbrechen

game-cancel = Zurück

game-log-title = Bisher gehört
game-log-start = Anfang
game-log-your-turn = Dein Zug { $n }
game-log-turn = Zug { $n } von { chess-side }

game-guesses-title = Deine Vermutungen
game-guesses-sets = Welche Vermutung gezeigt wird
game-guesses-set = Vermutung { $name }
game-guesses-men = Figuren zum Setzen
game-guesses-man = { chess-man }: { $free } von { $most } noch zu setzen
game-guesses-reading = Schreib Figuren und Felder: ke8 dd8, oder e5 für einen Bauern; -e5 entfernt die Vermutung.
game-guesses-own = Auf { $square } steht deine eigene Figur.
game-guesses-placed = { chess-man } auf { $square }.
game-guesses-removed = { $square }: entfernt.
game-guesses-placing = { chess-man }: Tipp ein Feld nach dem anderen an. Noch einmal antippen entfernt die Vermutung. Zum Aufhören tipp die Figur neben dem Brett an.
game-guesses-left = { $count ->
    [one] 1 gegnerische Figur ist übrig.
   *[other] { $count } gegnerische Figuren sind übrig.
  }
game-guesses-left-reserve = { $count ->
    [one] 1 gegnerische Figur auf dem Brett; in Reserve: { game-guesses-reserve }.
   *[other] { $count } gegnerische Figuren auf dem Brett; in Reserve: { game-guesses-reserve }.
  }
game-guesses-reserve = { $reserve ->
    [none] keine
   *[other] { $reserve }
  }
game-guesses-at-most = Höchstens { game-pawns } und { game-pieces }, den König nicht mitgezählt. Jeder Bauer kann umgewandelt sein.
game-pawns = { $pawns ->
    [one] 1 Bauer
   *[other] { $pawns } Bauern
  }
game-pieces = { $pieces ->
    [one] 1 Figur
   *[other] { $pieces } Figuren
  }
game-guesses-placing-label = Vermutungen setzen
game-guesses-placing-title = { $man ->
    [queen] Wo vermutest du eine Dame?
    [pawn] Wo vermutest du einen Bauern?
    [king] Wo vermutest du den König?
   *[other] Wo vermutest du einen { chess-man }?
  }
game-guesses-help = Wähl eine Figur, dann ihre Felder. Ein Rechtsklick oder langes Drücken entfernt eine Vermutung. Vermutungen verlassen dieses Gerät nie.
game-guesses-field = Vermutungen eingeben
game-guesses-example = ke8 dd8, -e5
game-guesses-place = Setzen
game-guesses-opening = Grundstellung aufbauen
game-guesses-undo = Rückgängig
game-guesses-clear = Alle entfernen
game-guesses-list = Vermutungen auf dem Brett
game-guesses-remove = : entfernen
game-guesses-done = Aufgebaut.
game-guesses-undone = Rückgängig gemacht.
game-guesses-one-king = Es gibt nur einen König.
game-guesses-pawns-left = { $pawns ->
    [0] Es kann kein Bauer mehr übrig sein.
    [one] Höchstens 1 Bauer kann übrig sein.
   *[other] Höchstens { $pawns } Bauern können übrig sein.
  }
game-guesses-pieces-left = { $pawns ->
    [true] { $pieces ->
        [0] Außer dem König und diesen Bauern kann keine Figur mehr übrig sein.
        [one] Außer dem König und diesen Bauern kann höchstens 1 Figur übrig sein.
       *[other] Außer dem König und diesen Bauern können höchstens { $pieces } Figuren übrig sein.
      }
   *[false] { $pieces ->
        [0] Außer dem König kann keine Figur mehr übrig sein.
        [one] Außer dem König kann höchstens 1 Figur übrig sein.
       *[other] Außer dem König können höchstens { $pieces } Figuren übrig sein.
      }
  }
game-guesses-none-yet = { $count ->
    [one] Höchstens 1 { chess-man }: Noch kann kein Bauer umgewandelt sein.
   *[other] Höchstens { $count } { chess-men-title }: Noch kann kein Bauer umgewandelt sein.
  }
game-guesses-none-announced = { $count ->
    [one] Höchstens 1 { chess-man }: Eine Umwandlung wurde nicht angesagt.
   *[other] Höchstens { $count } { chess-men-title }: Eine Umwandlung wurde nicht angesagt.
  }
game-guesses-promoted-left = { $pawns ->
    [one] Bis jetzt kann höchstens 1 Bauer umgewandelt sein.
   *[other] Bis jetzt können höchstens { $pawns } Bauern umgewandelt sein.
  }
game-guesses-no-pawn-left = { $count ->
    [one] Bei { game-guesses-beside } kann es höchstens 1 { chess-man } geben.
   *[other] Bei { game-guesses-beside } kann es höchstens { $count } { chess-men-title } geben.
  }
game-guesses-beside = { $pawns ->
    [one] 1 Bauern
   *[other] { $pawns } Bauern
  }
game-guesses-private = nur auf diesem Gerät
game-guesses-pick = { $free ->
    [0] { chess-man }: Tipp ein Feld an; keine mehr übrig.
   *[other] { chess-man }: Tipp ein Feld an; { $free } übrig.
  }
game-guesses-men-left = { $men ->
    [one] Insgesamt ist nur 1 Figur übrig.
   *[other] Insgesamt sind nur { $men } Figuren übrig.
  }
game-guesses-show = Vermutungen

game-close-help = Schließen

game-commands-any = Any?
game-about-any = fragt, ob einer deiner Bauern schlagen kann
game-commands-count = Ablehnungen
game-about-count = fragt, wie oft dein Gegner abgewiesen wurde
game-commands-recap = Wiederholen
game-about-recap = lässt die letzten Ansagen wiederholen
game-commands-px = Bauernschlag spielen
game-about-px = spielt den einzigen angesagten Bauernschlag
game-commands-accept-draw = Remis annehmen
game-about-accept-draw = nimmt das Remisangebot an
game-confirm-accept-draw = Remis annehmen? Die Partie ist dann zu Ende.
game-commands-decline-draw = Remis ablehnen
game-about-decline-draw = lehnt das Remisangebot ab
game-commands-offer-draw = Remis anbieten
game-about-offer-draw = bietet Remis an
game-commands-withdraw-draw = Remisangebot zurückziehen
game-about-withdraw-draw = zieht dein Remisangebot zurück
game-commands-claim-win = Sieg beanspruchen
game-about-claim-win = dein Gegner ist abwesend: beansprucht den Sieg
game-commands-claim-draw = Remis beanspruchen
game-about-claim-draw = dein Gegner ist abwesend: beansprucht Remis
game-commands-abort = Partie abbrechen
game-about-abort = beendet die Partie ohne Ergebnis, bevor beide gezogen haben
game-confirm-abort = Die Partie abbrechen? Sie endet dann ohne Ergebnis.
game-commands-offer-adjourn = Vertagung anbieten
game-about-offer-adjourn = bietet an, an einem anderen Tag weiterzuspielen
game-commands-adjourn = Vertagen
game-about-adjourn = stimmt zu, an einem anderen Tag weiterzuspielen
game-commands-resume = Fortsetzen
game-about-resume = bietet an, die vertagte Partie fortzusetzen, oder nimmt dieses Angebot an
game-commands-withdraw-adjourn = Angebot zurückziehen
game-about-withdraw-adjourn = zieht dein Angebot zurück, die Partie zu vertagen oder fortzusetzen
game-commands-decline-adjourn = Ablehnen
game-about-decline-adjourn = lehnt das Angebot ab, die Partie zu vertagen oder fortzusetzen
game-commands-resign = Aufgeben
game-about-resign = gibt die Partie auf
game-confirm-resign = Aufgeben? Dein Gegner gewinnt.
game-commands-rematch = Revanche
game-about-rematch = bietet eine weitere Partie mit vertauschten Farben an oder nimmt dieses Angebot an
game-commands-withdraw-rematch = Revanche zurückziehen
game-about-withdraw-rematch = zieht dein Revancheangebot zurück
game-commands-decline-rematch = Revanche ablehnen
game-about-decline-rematch = lehnt das Revancheangebot ab
