# Lessons: the list, and a lesson.

learn-title = Learn Kriegspiel
learn-page-title = Kriegspiel Umpire: learn
learn-step-title = Learn: { $title }
learn-lead = Chess in which you see only your own men. A referee sees all and answers each try. Twelve short steps, about fifteen minutes; no account.
learn-start = { $begun ->
    [true] Continue
   *[false] Start
  }
learn-done-count = { $done } of { $count } done on this device
learn-done = , done
learn-loading = Loading...
learn-nowhere = No such lesson
learn-all = All lessons
learn-study = Study a game of your own
learn-moves-left = { $left ->
    [one] You have one move
   *[other] You have at most { $left } moves
  }
learn-stood = The board as the referee sees it
learn-reached = Right!
learn-missed = Not this time.
learn-missed-about = The board shows where Black's men stand: you could not see them.
learn-again = Try again
learn-over = Start over
learn-next = Next step
learn-play = Play a game
learn-guess-first = First put a guess on { $square }.
learn-board-stood = What stood there. White: { $white }. Black: { $black }.

learn-title-refusal = A refused move
learn-task-refusal = You see only your own men. Ra8 mates if nothing stands in between: try it. After “No” your move does not count, and you try another one.
learn-missed-refusal = Try Ra8 first: a “No” costs nothing, and it tells you something.
learn-after-refusal = A knight stood on a5. “No” told you that something stands between a1 and a8, and you kept your turn. Under these rules your opponent did not hear it.

learn-title-question = “No” as a free question
learn-task-question = Something of Black's stands on the d-file. Take it with your only move: try the farthest square first, and come nearer after each “No”.
learn-missed-question = That move was legal, so your turn was over. Begin on d8, and come nearer after each “No”.
learn-after-question = A knight stood on d5. The tries of d8, d7 and d6 were free questions. A move to d2, d3 or d4 would have been legal, and your turn over.

learn-title-pawn-try = The pawn try
learn-task-pawn-try = “You have 1 pawn try”: one of your pawns can take something, exactly one way. Which? Try captures until one is not refused. A step straight ahead would use up your move.
learn-missed-pawn-try = That move was legal and took nothing, so your turn was over. Try captures by pawns only: a refused one costs nothing.
learn-after-pawn-try = A pawn try is a legal capture by a pawn. After “no pawn tries” you would know that no black man stands on a5, c5, d5, f5, f4 and h4.

learn-title-check = Check, and from where
learn-task-check = “Check on the file”: a rook or a queen attacks your king along the e-file. Answer the check with your first attempt.
learn-missed-check = On the e-file your king stays in check. Put a man in between, or leave the file.
learn-after-check = A rook stood on e8. The referee names the line as seen from your king. That told you that a step along the file does not help: put something in between, or leave the file.

learn-title-diagonals = The short and the long diagonal
learn-task-diagonals = “Check on the short diagonal”. Two diagonals cross on your king's square: e1–a5 has five squares, c1–h6 has six. Put a pawn on the short one, next to your king, with your first attempt.
learn-missed-diagonals = Only c3 is next to your king on the short diagonal. Farther away the attacker itself may stand.
learn-after-diagonals = A bishop stood on b4. Count the squares of both diagonals through your king: the one with fewer squares is the short one.

learn-title-recapture = Taking back
learn-task-recapture = Your knight on f3 is gone. The referee names the square of a capture, so you know where one of Black's men stands now. Take it.
learn-missed-recapture = The man that took your knight stands on f3: take it there.
learn-after-recapture = A bishop had taken. After each loss you know one square for certain, for one move: look first whether you can take back.

learn-title-guess = Guesses
learn-task-guess = “Check by a knight”: it stands on e2, f3 or h3, and your own pawns stand on two of them. Put a black knight from the tray on the square that is left, then take it.
learn-missed-guess = The knight can only stand on e2: take it with your rook.
learn-after-guess = The knight stood on e2: no other square was left. Guesses are your notes: they stay on this device, and the referee ignores them.

learn-title-any = “Any?” and its price
learn-task-any = Under the English rules you ask for pawn tries. Ask “Any?” and take with a pawn. After “yes” you must first try a capture with a pawn.
learn-missed-any = Ask “Any?” before you take: the question is a part of this step.
learn-after-any = A pawn stood on e5. The price: your opponent heard the question and the answer, and you had to try. Ask when you are ready to take.

learn-title-protect = Protect before you see an attack
learn-task-protect = Is your knight on e5 attacked? You cannot know. Protect it with your first move. If Black takes it, take back with your second.
learn-missed-protect = One of your men must be able to take on e5: a rook on e1, or a pawn on d4 or f4.
learn-after-protect = A bishop on g7 had it in sight. Protect what matters before anything attacks it, better twice than once: then each capture costs Black a man, too.

learn-title-lone-king = Mate a king that you do not see
learn-task-lone-king = Black has only the king, above your rooks: on rank 6, 7 or 8. One rook guards a rank while the other one climbs past it. Mate.
learn-missed-lone-king = One rook stays on its rank, the other one gives check on the next rank. Stay away from the king, and leave it a move when it is not in check.
learn-after-lone-king = You never saw the king. A guarded rank keeps it out, and each check told you the rank on which it stood.

learn-title-stalemate = Stalemate, the trap
learn-task-stalemate = Black has only the king, on h7 or h8. Without a legal move and without check it is stalemate, a draw. Mate the king on both squares.
learn-missed-stalemate = Give check along the h-file, from afar: that mates on both squares.
learn-after-stalemate = Check on the h-file mates on h7 and on h8. Qg6 would have been stalemate, because the king stood on h8. Against a king that you do not see, take squares away with check.

learn-title-queen = King and queen against king
learn-task-queen = Your queen on a7 keeps Black's king on the last rank. Bring your king close. When a step of your king is refused, the other king is next to that square. Mate.
learn-missed-queen = Bring your king next to Black's before you give mate. Leave Black's king a move when it is not in check: without one it is stalemate.
learn-after-queen = “No” to a step of your king told you that Black's king stood next to that square, and two of them told you where. Ask with moves that you would also like to make.
