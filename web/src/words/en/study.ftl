
# Studies: games of files, with comments.

study-title = Study a game
study-page-title = Kriegspiel Umpire: { $name }
study-lead = Open any game that is written down: PGN, a transcript, or a score as printed. See all three boards, what each player heard and could have known, and what each turn was worth.
study-example = The game of 1971: Hayes – Juhasz
study-file = File
study-text = Or the text of the file
study-rules = Ruleset
study-rules-of-file = As the file says
study-open = Open
study-games = { $count } games: choose one
study-line = The game at line { $line }
study-damaged = Cannot be read: { $fault }
study-own = Your studies
study-public = Public studies
study-loading = Loading...
study-about = { $white } against { $black }, { $rules }
study-by = { "." } Study by { $name }
study-chapters = Chapter
study-chapter = Chapter { $n }
study-comment = Comment at step { $step }
study-drawings = Drawn at step { $step }: squares and arrows, as e4 e2e4
study-keep-title = Title, drawings, keep
study-name = Title of the study
study-chapter-name = Title of the chapter
study-who = Who may read it
study-access = { $access ->
    [private] only you
    [link] who has the link
   *[public] everybody
  }
study-save = Save
study-saved = Saved.
study-changed = Not saved yet.
study-add = Add a chapter
study-delete = Delete
study-delete-sure = Delete this study with all its chapters?
study-guest = With an account you can keep this study.
study-all = All studies
study-position = Set up a position
study-position-title = A position
study-position-lead = Ask what is possible, and whether mate can be forced: set up a position and, if you like, write what one player has heard since.
study-position-board = White: { $white }. Black: { $black }.
study-position-man = { chess-side }: { chess-man }
study-position-remove = Remove
study-position-kings = Only kings
study-position-usual = The usual start
study-position-seat = Who asks
study-position-moves = To move
study-position-unknown = The opponent's men stand on unknown squares
study-position-fen = FEN
study-position-heard = What { chess-side } has heard since
study-position-heard-about = In the short forms of transcripts, as: moved w e2e4, tries 0, turn b, moved b, tries 1, turn w
study-position-ask = See what is possible
study-men = The opponent's men, if one player's file does not show them: KQRRPPP
study-one = What { chess-side } heard, { $rules }
study-draw = Draw
study-draw-about = Press a square, or from square to square. The same again removes it.
