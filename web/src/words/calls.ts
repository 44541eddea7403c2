// The meaning of each call under the rules in force. All texts about this are in this file.

import type { HeardJson, RulesetJson } from "../wire";

export type Kind = HeardJson["kind"];

/** The part of a ruleset that decides what its calls mean. */
export type Choices = Pick<RulesetJson, "choices">["choices"];

export interface Term {
  /** The words of the call. Calls with the same meaning share one entry. */
  calls: readonly string[];
  means: string;
  /** If present, the entry applies only to a check from one of these directions. `double` means a double check. */
  directions?: readonly string[];
}

/** Joins words as in `a, b or c`. */
const either = (all: readonly string[]): string =>
  all.length < 2 ? (all[0] ?? "") : `${all.slice(0, -1).join(", ")} or ${all.at(-1)}`;
const joined = (...all: readonly (string | false)[]): string => all.filter((one) => one !== false).join(" ");

const REFUSED = "Everybody hears that a try was refused, but not which one.";
const heardBy = (who: string | undefined): string => (who === "mover" ? "Only the mover hears this." : REFUSED);

/** Why a try can be refused without regard to the opponent's men. The list is empty if there is no such reason. */
const known = (c: Choices): string[] =>
  [
    c.impossible === "nonsense" && "your own men cannot do it",
    c.announced_tries === "nonsense" && "no such pawn try was announced",
    c.announced_check === "castling" && "it would castle out of check",
    c.announced_check === "answers" && "it cannot answer the check",
    c.obligation === "try" && "you must try a pawn capture first",
    c.obligation === "make" && "you must make a pawn capture",
    c.try_limit === "three" && "three pawn captures were already refused in this turn",
    c.repeat === "nonsense" && "it was already refused in this turn",
    c.any_without_pawns === "nonsense" && "you asked Any? and have no pawn",
  ].filter((one) => one !== false);

const NONSENSE: Record<string, string> = {
  nonsense: "Nonsense",
  "hell-no": "Hell no",
  "heck-no": "Heck-no",
  impossible: "Impossible",
};
const TRY = "A pawn try is a capture by a pawn of the player to move that is legal in the actual position.";

/**
 * The meanings of each kind of call. The kinds that a newcomer needs first come first. The list of a
 * kind is empty if the ruleset never makes such a call.
 */
const MEANINGS: Record<Kind, (c: Choices) => Term[]> = {
  no: (c) => {
    const same = c.nonsense_word === "no" && known(c).length > 0;
    return [
      {
        calls: c.no_heard === "both" ? ["No: e5", "White is told no"] : ["No: e5"],
        means: joined(
          "The try is illegal in the actual position. The referee does not say why: an unseen man is in the way, your king would be in check, or there is nothing that the pawn could capture. It is still your turn: make another try.",
          heardBy(c.no_heard),
          same && `The answer is also no if ${either(known(c))}.`,
          same && c.nonsense_heard !== c.no_heard && (c.nonsense_heard === "mover" ? "Only the mover hears such a no." : "Everybody hears such a no."),
        ),
      },
    ];
  },
  nonsense: (c) => {
    const word = NONSENSE[c.nonsense_word ?? ""];
    if (word === undefined || known(c).length === 0) return [];
    return [
      {
        calls: c.nonsense_heard === "both" ? [`${word}: Ra5`, `White is told ${word.toLowerCase()}`] : [`${word}: Ra5`],
        means: joined(
          `You could have known that this is impossible: ${either(known(c))}. The answer tells you nothing about the opponent's men. It is still your turn.`,
          heardBy(c.nonsense_heard),
        ),
      },
    ];
  },
  "repeat-no": (c) =>
    c.repeat === "repeat-no"
      ? [{ calls: ["Repeat no: e5"], means: "You have already made this try in this turn, and it was refused. It is still your turn." }]
      : [],
  any: (c) => {
    if (c.pawn_tries !== "on-request") return [];
    const [yes, no] = { impossible: ["Try!", "No."], "heck-no": ["Some.", "None."] }[c.nonsense_word ?? ""] ?? ["Yes.", "No."];
    const word = `“${yes!.replace(".", "")}”`;
    return [
      {
        calls: [`You ask any? ${yes}`, `White asks any? ${no}`],
        means: joined(
          "“Any?” is short for “Have I any pawn try?”. Everybody hears the question and the answer.",
          TRY,
          c.obligation === "try" && `After ${word} you must try one pawn capture before anything else.`,
          c.obligation === "make" && `After ${word} you must make a pawn capture.`,
        ),
      },
    ];
  },
  check: (c) => {
    if (c.check === "bare")
      return [{ calls: ["Check"], means: "The king of the player to move is attacked. The referee does not say from where." }];
    if (c.check !== "directions") return [];
    return [
      {
        calls: ["Check on the rank", "Check on the file"],
        directions: ["rank", "file"],
        means: "The king of the player to move is attacked along its row (rank) or its column (file). The referee does not say from which side.",
      },
      {
        calls: ["Check on the long diagonal", "Check on the short diagonal"],
        directions: ["long", "short"],
        means:
          "Two diagonals cross on the king's square. The one with more squares is the long diagonal; they never have the same number of squares. The referee does not say from which side the king is attacked. A pawn also checks on a diagonal.",
      },
      {
        calls: ["Check by a knight"],
        directions: ["knight"],
        means: "A knight attacks the king of the player to move. The referee does not say from which square.",
      },
      {
        calls: ["Double check: on the file and by a knight"],
        directions: ["double"],
        means: "Two men attack the king at the same time. Only a move of the king can end the check.",
      },
    ];
  },
  tries: (c) => {
    const px = c.px === "present" ? "If there is exactly one, “Play the pawn try” plays it." : false;
    switch (c.pawn_tries) {
      case "whether":
        return [{ calls: ["You have a pawn capture"], means: "A pawn of the player to move can capture something. The referee does not say which pawn, or where. If no pawn can, the referee says nothing." }];
      case "count":
        return [
          {
            calls: ["You have 2 pawn tries", "White has 1 pawn try", "You have no pawn tries"],
            means: joined(
              TRY,
              "The number says how many there are. The referee does not say which pawns can capture, or where.",
              px,
              c.try_limit === "three" && "At most three different pawn captures may be tried in a turn.",
            ),
          },
        ];
      case "squares":
        return c.pawn_try_square === "origin"
          ? [{ calls: ["Your pawn tries from d4, f4", "You have no pawn tries"], means: joined(TRY, "The squares are those of the pawns that can capture.") }]
          : [{ calls: ["Your pawn tries: d5, f5", "You have no pawn tries"], means: joined(TRY, "The squares are those on which a pawn can capture.") }];
      case "singles-and-doubles":
        return [
          {
            calls: ["Your single pawn tries: d5", "Your double pawn tries: f5", "You have no pawn tries"],
            means: joined(TRY, "On a single square one pawn can capture, on a double square two pawns can."),
          },
        ];
      default:
        return [];
    }
  },
  capture: (c) => {
    if (c.capture_heard === "victim") return [];
    const men = c.capture_man === "exact" ? ["knight"] : c.capture_man === "kind" ? ["pawn", "piece"] : ["man"];
    const told = c.capture_square !== "untold";
    const passing = c.en_passant === "said";
    const sounds = (man: string): string => {
      if (c.capture_heard === "capturer") return `You capture a ${man}${told ? " on d5" : ""}`;
      if (!told) return `A ${man} is gone`;
      return man === "man" ? "Capture on d5" : `${man.charAt(0).toUpperCase()}${man.slice(1)} gone on d5`;
    };
    return [
      {
        calls: [...men.map(sounds), ...(passing && told ? [`${sounds(men[0]!)}, en passant`] : [])],
        means: joined(
          c.capture_heard === "capturer"
            ? "You captured a man. Your opponent sees which man vanishes. Nobody else hears of the capture."
            : "The player who has just moved captured a man.",
          c.capture_man === "kind" && "A piece is any man except a pawn. A promoted pawn is a piece.",
          c.capture_man === "exact" && c.reserve === "drops" && "A promoted man is announced as a pawn, because it enters the reserve as a pawn.",
          c.capture_square === "stood" && "The square is the one on which the captured man stood.",
          c.capture_square === "landing" && "The square is the one on which the capturing man lands.",
          passing && told && "En passant: a pawn captured a pawn that had just moved two squares, as if that pawn had moved only one.",
        ),
      },
    ];
  },
  lost: () => [
    { calls: ["Your pawn on e4 is gone"], means: "This man of yours was captured. You always hear which man it was, and where it stood." },
  ],
  drop: (c) =>
    c.reserve === "drops"
      ? [{ calls: ["White drops a knight"], means: "Instead of moving, the player put this man from the reserve on the board. The referee does not say where." }]
      : [],
  promotion: (c) =>
    c.promotion === "side"
      ? [{ calls: ["White promotes"], means: "A pawn of this player reached the last rank and is another man now. The referee does not say which man it is, or where." }]
      : [],
  rebuffs: (c) =>
    c.count === "aloud"
      ? [
          {
            calls: ["White asks for the count: Black was rebuffed twice"],
            means: "The number says how often Black heard the answer no in Black's last turn or, if Black is to move, in the current turn. Everybody hears the count.",
          },
        ]
      : [],
  recap: (c) =>
    c.recap === "aloud"
      ? [{ calls: ["White asks again: ..."], means: "The referee repeats the announcements of the last move, but not the refusals before it. Everybody hears them." }]
      : [],
  "draw-offer": () => [
    {
      calls: ["You offer a draw", "Black offers a draw"],
      means: "The offer is open until it is declined or withdrawn, or until the other player has moved. Only the two players hear of it.",
    },
  ],
  "draw-declined": () => [{ calls: ["Black declines the draw"], means: "The offer is no longer open. The game continues." }],
  "draw-withdrawn": () => [{ calls: ["Black takes the draw offer back"], means: "The offer is no longer open. The game continues." }],
  over: (c) => [
    {
      calls: ["Checkmate: White wins, 1-0", "A draw is agreed, 1/2-1/2"],
      means: joined(
        "The game is over, and everybody may now see the whole game. 1-0: White won; 0-1: Black won; 1/2-1/2: a draw; *: no result.",
        c.mates === "unseen" && "Checkmate and stalemate are not recognised here: a player who sees that the game is lost resigns.",
        c.stalemate === "loses" && "A player without a legal move loses here, in check or not.",
        c.try_limit === "three" && `If three pawn captures of a player were refused in one turn and no other move is legal, the game is over. ${c.stalemate === "loses" ? "This player loses." : "A player in check loses; otherwise the game is a draw."}`,
      ),
    },
  ],
  moved: () => [
    {
      calls: ["You play e4", "White has moved"],
      means: "The try was legal and was played. Only the mover hears which man moved, and where.",
    },
  ],
  turn: () => [{ calls: ["White to move"], means: "It is White's turn until White makes a legal try." }],
  start: () => [{ calls: ["A new game"], means: "The game begins. You hear which side you play." }],
};

export interface Meaning extends Term {
  kind: Kind;
}

/** All calls that can be heard under a ruleset, with their meanings. */
export const meanings = (choices: Choices): Meaning[] =>
  (Object.keys(MEANINGS) as Kind[]).flatMap((kind) => MEANINGS[kind](choices).map((term) => ({ ...term, kind })));

/** The meanings of the calls just heard. */
export function meant(all: readonly Meaning[], heard: readonly HeardJson[]): Meaning[] {
  const told = heard.flatMap((one) => (one.kind === "recap" ? [one, ...one.said] : [one]));
  return all.filter(({ kind, directions }) =>
    told.some((one) => {
      // If the ruleset has no separate word for nonsense, nonsense is announced as "no".
      if (one.kind === "nonsense" && kind === "no") return !all.some((other) => other.kind === "nonsense");
      if (one.kind !== kind || (one.kind === "tries" && one.any === false)) return false;
      if (one.kind !== "check" || directions === undefined) return true;
      if (directions.includes("double")) return one.directions.length > 1;
      return one.directions.some((direction) => directions.includes(direction));
    }),
  );
}
