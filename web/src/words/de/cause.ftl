# Not reviewed: nobody but the translator has read these texts.

cause-known-impossible = Das können deine eigenen Figuren nicht.
cause-known-no-such-pawn-try = So ein Bauernschlag wurde nicht angesagt.
cause-out-of-check = Aus dem Schach heraus darfst du nicht rochieren.
cause-known-not-an-answer = Damit wehrst du das Schach nicht ab.
cause-must-try = Du musst einen Bauernschlag versuchen.
cause-must-make = Du musst mit einem Bauern schlagen.
cause-known-tries-spent = Deine drei Schlagversuche mit Bauern sind für diesen Zug verbraucht.
cause-known-repeated = Das wurde in diesem Zug schon abgelehnt.
cause-known-no-pawn = Du hast keinen Bauern, der schlagen könnte.
cause-known-nonsense = Du hättest wissen können, dass dieser Versuch nicht spielbar ist.

cause-unseen-own-men = Das können deine eigenen Figuren nicht
cause-unseen-castling = Eine unsichtbare Figur steht im Weg, oder dein König würde aus dem Schach, durchs Schach oder ins Schach rochieren
cause-unseen-pawn-capture = Dein Bauer kann dort nichts schlagen, oder dein König stünde im Schach
cause-unseen-drop = Dort steht eine unsichtbare Figur, oder dein König stünde im Schach
cause-unseen-king-there = Dein König stünde dort im Schach
cause-unseen-check = Dein König stünde im Schach
cause-unseen-way = Eine unsichtbare Figur steht im Weg, oder dein König stünde im Schach
cause-illegal = In der wirklichen Stellung ist dieser Versuch regelwidrig: { $why }.

cause-your-turn = Du bist weiter am Zug.
cause-heard-by-all = Alle hören, dass ein Versuch abgelehnt wurde, aber nicht, welcher.
cause-heard-by-nobody = Sonst erfährt niemand von diesem Versuch.
