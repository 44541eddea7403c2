//! Help texts of the command.

/// Explanation of the numbers that are read and printed.
pub const CODES: &str = "\
Input: the rules number (1 Western, 2 Eastern), then six numbers for each attempt:
  IFROMH IFROMV ITOH ITOV IPROMO ITRYRQ
  columns a-h are 1-8, rows are 1-8; castling is the king's step of two squares
  IPROMO  what a pawn becomes on the last row: 3 knight 4 bishop 5 queen 6 rook
  ITRYRQ  1 asks whether there is a pawn try (Eastern rules), else 0
Men: 1 king 2 pawn 3 knight 4 bishop 5 queen 6 rook, negative for Black
MINFO, by row and column:
  (1,1) MTERMN  1 in progress 2 checkmate 3 stalemate   (1,2) MRULES
  (2,1) MLOST   the man captured   (3,1) MSQRH (3,2) MSQRV  where it stood
  (4,1) MCAPT   1 a piece 2 a pawn (Western) 3 a man (Eastern)
  (5,1) MPROMO  1 a pawn was promoted
  (6,1) MATMPT  1 no 2 heck-no     (6,2) MCOLOR  side to move (or mated): 1 White 2 Black
  (7,1) MCHEKA  (7,2) MCHEKB  1 check (Eastern) 2 long diagonal
                3 short diagonal 4 vertical 5 horizontal 6 knight
  (8,1) MTRYEA  1 no pawn try 2 some   (8,2) MNOS  noes since the last legal move
  (9,1) MSTRY   number of squares on which only one pawn can capture; rows 10-23 list them
                (Eastern: 1 if there is a pawn try)
  (24,1) MDTRY  number of squares on which two pawns can capture; rows 25-30 list them
ICOLOR: 1 White moves, -1 Black moves, 0 the game is over
The sheet is the umpire's: never show it to a player.
";

/// Differences from the program of 1975, all of them corrections.
pub const CORRECTIONS: &str = "\
What this program corrects (1975: the old program; now: this program):
  noes beyond the 49th  1975: forgotten, so a repeated attempt got a no again;
                        now: every no of the turn is remembered
  call after the end    1975: it started another game without a message;
                        now: it is refused, and no array changes (in the library,
                        Common::ksref still starts another game)
  try request, Western  1975: it was accepted;
                        now: it is refused, and no array changes
  ITRYRQ not 0 or 1     1975: it started another game without a message;
                        now: the answer is heck-no
  wild coordinates      1975: the coordinates were checked after the board was read;
                        now: they are checked first, and the answer is heck-no
";
