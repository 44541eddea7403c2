// The review of a finished game: three boards, and what each player could know.

import type { Man, RegimeJson, Side, StepJson } from "../wire";
import { chess } from "./chess";

const side = (one: Side): string => chess.sides[one];
const ownMoves = (n: number): string => (n === 1 ? "1 own move" : `${n} own moves`);

export const review = {
  label: "Review of the game",
  loading: "Loading the boards...",
  menOf: (who: Side): string => `${side(who)}'s men`,
  all: "The referee's board",
  hears: (who: Side): string => `${side(who)} hears`,
  spectatorsHear: "Spectators hear",
  nothing: "Nothing.",
  start: "The start",
  step: (who: string, attempt: string, answer: string): string => `${who === "" ? "" : `${who}: `}${attempt}${answer === "" ? "" : `, ${answer}`}`,
  /** Texts of answers for which the server sends no word. The text is empty if the attempt itself says the answer. */
  answers: {
    moved: "played",
    resigned: "",
  } as Record<string, string>,
  /** The answer to a step: the word that the player heard, or the text of the answer if the server sends no word. */
  answer: ({ answer, word }: Pick<StepJson, "answer" | "word">): string => word ?? review.answers[answer] ?? answer.replaceAll("-", " "),
  /** What a player learned from the referee's words about an own move. */
  toldOf: (heard: string): { capture: boolean; check: boolean; mate: boolean } => ({
    capture: /\bgone\b|\bcapture\b|\bcaptured\b/i.test(heard),
    check: /\bcheck\b/i.test(heard),
    mate: /^Checkmate|\bCheckmate:/.test(heard),
  }),
  of: (step: number, all: number): string => `${step} of ${all}`,
  toStart: "To the start",
  back: "One step back",
  on: "One step forward",
  toEnd: "To the end",
  slider: "Step",
  keys: "Keys: left and right; with Shift from move to move; Home and End.",
  guesses: "Show my guesses of this step",
  /** The legend of a heat map. */
  scale: (enemy: Side, shown: Man | "any"): string => `Heat map: how probable ${shown === "any" ? "a man" : shown === "king" ? "the king" : `a ${chess.men[shown]}`} of ${side(enemy)} is on a square.`,
  percent: (percent: number): string => (percent === 0 ? "under 5 %" : `${percent} %`),
  table: "Moves and refused tries",
  tableLabel: "Moves and refused tries: scroll with the arrow keys",
  turn: "Turn",
  download: "Download",
  forms: { pgn: "PGN", txt: "Transcript", json: "JSON" },

  belief: {
    label: "What each player could know",
    open: (who: Side): string => `What could ${side(who)} know?`,
    about: (who: Side): string => `These are the positions that agree with everything that ${side(who)} had heard and tried. No other information is used.`,
    player: "Player",
    show: "Show",
    kinds: { any: "All men", king: "King", queen: "Queen", rook: "Rooks", bishop: "Bishops", knight: "Knights", pawn: "Pawns" },
    heatMap: (who: Side): string => `Heat map on ${side(who)}'s board`,
    again: "Try again",
    computing: "Computing the positions. This can take some seconds.",
    notComputed: "not computed",
    atStep: (step: number): string => ` at step ${step}`,
    graph: (who: Side, told: string, step: number, most: string): string => `Possible positions for ${side(who)} by step, on a logarithmic scale: ${told} at step ${step}${most}`,
    most: (step: number, told: string): string => `; most at step ${step}, ${told}`,
    tens: (n: number): string => (n < 4 ? (10 ** n).toLocaleString("en") : n < 6 ? `${10 ** (n - 3)} thousand` : n < 9 ? `${10 ** (n - 6)} million` : "1,000 million"),
    ended: (why: string): string => `The positions are not computed to the end: ${why}.`,
    sampled: (limit: number): string =>
      `There are too many positions to list. A sample of at most ${limit.toLocaleString("en")} is kept, so the numbers are estimates. The certain facts hold in all positions.`,
    superset: "Some of these positions may be impossible, because repetition or the fifty-move rule would have ended the game.",
    envelope: "No position of the sample is left. Only the possible squares are known.",
    certain: (enemy: Side): string => `Certain about ${side(enemy)}'s men`,
    certainList: (who: Side): string => `What ${side(who)} knew for certain`,
    nothing: "Nothing.",
    likeliest: (kind: string, squares: string): string => `${kind}, most probable squares: ${squares}.`,
    unknown: "an unknown number of positions",
    moreThan: (most: string): string => `more than ${most} positions`,
    count: (regime: RegimeJson, figure: string, one: boolean): string => `${regime === "sampled" ? "about " : regime === "superset" ? "at most " : ""}${figure} ${one ? "position" : "positions"}`,
    under: "under 1",
    percent: (square: string, percent: string): string => `${square} ${percent} %`,
    missedMates: (who: Side): string => `${side(who)} missed a forced mate:`,
    step: (step: number): string => `step ${step}`,
    missed: (moves: number): string => `A forced mate in ${ownMoves(moves)} was missed in the last turn.`,
    mate: (moves: number, line: readonly string[]): string => `Mate in ${ownMoves(moves)} can be forced: ${line.join("; then ")}.`,
    noneLeft: "none is left",
    andMore: (more: number): string => `, and ${more} more`,
  },
};
