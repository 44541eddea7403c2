# The pages of the rulesets, and the form for custom rules.

rules-title = Kriegspiel Umpire: rules
rules-page-title = Kriegspiel Umpire: { $title }
rules-heading = The rulesets
rules-lead = All rulesets are rules of Kriegspiel. They differ in what the referee announces, who hears it, and what the players may ask. The page of each ruleset explains its calls, and so does the button “Explain” in a game.
rules-learn = New to Kriegspiel? Learn it in fifteen minutes
rules-usual = The usual rules here: Wild 16
rules-all = All rulesets
rules-loading = Loading...
rules-missing = No such ruleset

rules-columns-ruleset = Ruleset
rules-columns-refusals = Who hears a refused try
rules-columns-capture = What is said of a capture
rules-columns-tries = What is said of your pawn captures
rules-columns-check = What is said of a check
rules-columns-asks = You may ask

rules-everybody = everybody
rules-you-alone = only you

rules-pawn-tries-silent = nothing
rules-pawn-tries-on-request = whether you have one, if you ask Any?
rules-pawn-tries-whether = whether you have one
rules-pawn-tries-count = how many you have
rules-pawn-tries-squares = on which squares
rules-pawn-tries-singles-and-doubles = on which squares, and whether by one pawn or by two

rules-capture-square-untold = { "" }
rules-capture-square-stood = the square of the captured man
rules-capture-square-landing = the square on which the capturing man lands

rules-capture-man-untold = { "" }
rules-capture-man-kind = whether a pawn or a piece
rules-capture-man-exact = which man

rules-victim-only = nothing; the player who loses the man sees it vanish
rules-that-there-was-one = that there was one

rules-check-silent = nothing
rules-check-bare = that there is a check
rules-check-directions = its directions

rules-ask-any = Any?
rules-ask-count = the count of refusals
rules-ask-recap = the last announcements again
rules-ask-nothing = nothing

rules-every = Two rulesets, side by side
rules-first = First ruleset
rules-second = Second ruleset
rules-choice = What is decided
rules-only-different = Only what is different
rules-same = These rulesets do not differ.
rules-calls = What the calls mean
rules-notes = Where the source is silent, or where this ruleset differs from it
rules-sources = Sources

rules-card-all = **Everybody** hears that a try was refused: your opponent learns that you tried something.
rules-card-mover = **Only you hear your refusals**: your opponent does not learn of them.
rules-card-no-questions = No questions to the referee.
rules-card-questions = You may ask the referee: { $all }.
rules-card-question-names-any = Any?
rules-card-question-names-count = count
rules-card-question-names-recap = recap
rules-card-px = If one pawn try is announced, “Play the pawn try” plays it.
rules-card-link = All of its rules

rules-differences-label = How { $title } differs from { $base }
rules-differences-same = These are the rules of [{ $base }](/rules/{ $id }), without changes.
rules-differences-start = The game begins in this position, and both players know it. { $side ->
    [white] White
   *[other] Black
} moves first.
rules-differences-hall = During the game, a screen in a hall may show the referee's board to everybody there. No player may be there.
rules-differences-board = The start position. White: { $white }. Black: { $black }.
rules-differences-changed = { $count ->
    [one] The rules of [{ $base }](/rules/{ $id }), with one change:
   *[other] The rules of [{ $base }](/rules/{ $id }), with { $count } changes:
  }
rules-differences-instead = instead of:
rules-differences-loading = Reading these rules...

rules-px = “Play the pawn try”
rules-rule = the rule

rules-question-count = Count (“How many rebuffs did the opponent get?”): { $meaning }
rules-question-recap = Recap (“Which announcements were made after the last completed move?”): { $meaning }

rules-part-attempts = Impossible attempts
rules-part-illegal = An illegal attempt
rules-part-capture = A capture
rules-part-check = A check
rules-part-tries = Pawn tries
rules-part-promotion = A promotion
rules-part-captured = Captured men
rules-part-questions = Questions
rules-part-end = The end

# The values of choices, in menus.
rules-value-nonsense = nonsense
rules-value-no = no
rules-value-judged = judged
rules-value-castling = castling
rules-value-answers = answers
rules-value-none = none
rules-value-try = try
rules-value-make = make
rules-value-three = three
rules-value-truth = truth
rules-value-repeat-no = repeat no
rules-value-mover = mover
rules-value-both = both
rules-value-hell-no = hell no
rules-value-heck-no = heck no
rules-value-impossible = impossible
rules-value-kept = kept
rules-value-left-out = left out
rules-value-victim = victim
rules-value-capturer = capturer
rules-value-untold = untold
rules-value-stood = stood
rules-value-landing = landing
rules-value-kind = kind
rules-value-exact = exact
rules-value-silent = silent
rules-value-said = said
rules-value-bare = bare
rules-value-directions = directions
rules-value-on-request = on request
rules-value-whether = whether
rules-value-count = count
rules-value-squares = squares
rules-value-singles-and-doubles = singles and doubles
rules-value-origin = origin
rules-value-refused = refused
rules-value-same = same
rules-value-side = side
rules-value-named = named
rules-value-queen-unless-named = queen unless named
rules-value-queen-only = queen only
rules-value-absent = absent
rules-value-aloud = aloud
rules-value-present = present
rules-value-drops = drops
rules-value-announced = announced
rules-value-unseen = unseen
rules-value-draw = draw
rules-value-loses = loses
rules-value-off = off
rules-value-dead = dead
rules-value-one-minor-each = one minor each
rules-value-on = on
rules-value-shown = shown
rules-value-withheld = withheld

rules-own-from = Start from
rules-own-name = Name of your rules
rules-own-name-of = { $title }, my way
rules-own-start = Start position, as FEN (empty: the usual one)
rules-own-hall = A screen in a hall may show the referee's board, if the club's operator sets it up
rules-own-changed-count = { $count ->
    [one] · 1 change
   *[other] · { $count } changes
  }
rules-own-sees = What your opponent will see
rules-own-file = The rules, as a file
rules-own-file-about = Copy this file to keep your rules, or paste a file here to use it.
rules-own-import-export = Import or export as a file
rules-own-download = Download
rules-own-show = Show line { $line }
