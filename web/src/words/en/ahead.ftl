# Tries that the club makes in advance.

ahead-about = The club makes them for you, one in each of your turns, in this order. Nobody else notices. They end when a try is refused or something else is announced than you expect here.
ahead-now = It is your turn: the first of them is made at once.
ahead-try = Try
ahead-when = If your opponent's move
ahead-if-quiet = takes nothing and gives no check
ahead-if-recapture = takes your man on this square
ahead-if-capture = takes a man of yours
ahead-taken-on = takes your man on { $square }
ahead-if-check = gives check
ahead-if-any = is any move
ahead-or = Only if the try before it is not played
ahead-or-else = or else
ahead-add = Add
ahead-remove = Remove { $what }
ahead-over = The tries in advance have ended.
