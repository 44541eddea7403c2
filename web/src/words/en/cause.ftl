# Why the referee refused an attempt, as far as its player can know.

# What the player could have known.
cause-known-impossible = Your own men cannot do that.
cause-known-no-such-pawn-try = No such pawn try was announced.
cause-out-of-check = You cannot castle out of check.
cause-known-not-an-answer = That cannot answer the check.
cause-must-try = You must try a pawn capture.
cause-must-make = You must make a pawn capture.
cause-known-tries-spent = Your three pawn captures of this turn are spent.
cause-known-repeated = That was refused this turn already.
cause-known-no-pawn = You have no pawn that could capture.
cause-known-nonsense = You could have known that this try cannot be played.

# What the player could not have known.
cause-unseen-own-men = your own men cannot do that
cause-unseen-castling = an unseen man is in the way, or your king would castle out of, through or into check
cause-unseen-pawn-capture = there is nothing that your pawn could capture, or your king would be in check
cause-unseen-drop = an unseen man is there, or your king would be in check
cause-unseen-king-there = your king would be in check there
cause-unseen-check = your king would be in check
cause-unseen-way = an unseen man is in the way, or your king would be in check
cause-illegal = This try is illegal in the actual position: { $why }.

cause-your-turn = It is still your turn.
cause-heard-by-all = Everybody hears that a try was refused, but not which one.
cause-heard-by-nobody = Nobody else hears of this try.
