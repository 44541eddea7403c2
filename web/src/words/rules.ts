// The pages of the rulesets, and the form for custom rules.

export const rules = {
  title: "Kriegspiel Umpire: rules",
  pageTitle: (title: string): string => `Kriegspiel Umpire: ${title}`,
  heading: "The rulesets",
  lead: "All rulesets are rules of Kriegspiel. They differ in what the referee announces, who hears it, and what the players may ask. The page of each ruleset explains its calls, and so does the button “Explain” in a game.",
  all: "All rulesets",
  loading: "Loading...",
  missing: "No such ruleset",

  columns: {
    ruleset: "Ruleset",
    refusals: "Who hears a refused try",
    capture: "What is said of a capture",
    tries: "What is said of your pawn captures",
    check: "What is said of a check",
    asks: "You may ask",
  },
  everybody: "everybody",
  youAlone: "only you",
  pawnTries: {
    silent: "nothing",
    "on-request": "whether you have one, if you ask Any?",
    whether: "whether you have one",
    count: "how many you have",
    squares: "on which squares",
    "singles-and-doubles": "on which squares, and whether by one pawn or by two",
  } as Record<string, string>,
  captureSquare: { untold: "", stood: "the square of the captured man", landing: "the square on which the capturing man lands" } as Record<string, string>,
  captureMan: { untold: "", kind: "whether a pawn or a piece", exact: "which man" } as Record<string, string>,
  victimOnly: "nothing; the player who loses the man sees it vanish",
  thatThereWasOne: "that there was one",
  check: { silent: "nothing", bare: "that there is a check", directions: "its directions" } as Record<string, string>,
  ask: { any: "Any?", count: "the count of refusals", recap: "the last announcements again", nothing: "nothing" },
  sentences: (all: readonly string[]): string => all.join("; "),
  list: (all: readonly string[]): string => all.join(", "),

  every: "Two rulesets, side by side",
  first: "First ruleset",
  second: "Second ruleset",
  choice: "What is decided",
  onlyDifferent: "Only what is different",
  same: "These rulesets do not differ.",

  calls: "What the calls mean",
  notes: "Where the source is silent, or where this ruleset differs from it",
  sources: "Sources",

  card: {
    all: "**Everybody** hears that a try was refused: your opponent learns that you tried something.",
    mover: "**Only you hear your refusals**: your opponent does not learn of them.",
    noQuestions: "No questions to the referee.",
    questions: (all: string): string => `You may ask the referee: ${all}.`,
    questionNames: { any: "Any?", count: "count", recap: "recap" },
    px: "If one pawn try is announced, “Play the pawn try” plays it.",
    link: "All of its rules",
  },

  differences: {
    label: (title: string, base: string): string => `How ${title} differs from ${base}`,
    same: (base: string, id: string): string => `These are the rules of [${base}](/rules/${id}), without changes.`,
    changed: (base: string, id: string, count: number): string => `The rules of [${base}](/rules/${id}), with ${count === 1 ? "one change" : `${count} changes`}:`,
    instead: "instead of:",
    loading: "Reading these rules...",
  },

  /** In notes, these words replace names that only programs use, and numbers of rules. */
  terms: { px: "“Play the pawn try”", rule: "the rule" } as Record<string, string>,

  /** The meaning of a choice about a question, with the question. */
  asked: (choice: string, meaning: string): string =>
    meaning.replace(/^The question\b/, { count: "The question count (“How many rebuffs did the opponent get?”)", recap: "The question recap (“Which announcements were made after the last completed move?”)" }[choice] ?? "The question"),

  own: {
    /** The headings of the form, and the choices under each. */
    parts: [
      ["Impossible attempts", ["impossible", "announced_tries", "announced_check", "repeat", "nonsense_heard", "nonsense_word", "nonsense_score"]],
      ["An illegal attempt", ["no_heard"]],
      ["A capture", ["capture_heard", "capture_square", "capture_man", "en_passant"]],
      ["A check", ["check"]],
      ["Pawn tries", ["pawn_tries", "pawn_try_square", "any_again", "any_without_pawns", "obligation", "try_limit", "px"]],
      ["A promotion", ["promotion", "promotion_man"]],
      ["Captured men", ["reserve", "enemy_count"]],
      ["Questions", ["count", "recap"]],
      ["The end", ["mates", "stalemate", "material", "threefold", "fifty"]],
    ] as readonly (readonly [string, readonly string[]])[],
    valueOf: (value: string): string => value.replaceAll("-", " "),
    from: "Start from",
    name: "Name of your rules",
    nameOf: (title: string): string => `${title}, my way`,
    changedCount: (count: number): string => ` · ${count === 1 ? "1 change" : `${count} changes`}`,
    sees: "What your opponent will see",
    file: "The rules, as a file",
    fileAbout: "Copy this file to keep your rules, or paste a file here to use it.",
    importExport: "Import or export as a file",
    download: "Download",
    show: (line: number): string => `Show line ${line}`,
  },
};
