
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
