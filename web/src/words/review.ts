// The review of a finished game: three boards, and what each player could know.

import type { AnswerJson, Man, RegimeJson, Side } from "../wire";
import { chess } from "./chess";

const side = (one: Side): string => chess.sides[one];
const ownMoves = (n: number): string => (n === 1 ? "1 own move" : `${n} own moves`);

export const review = {
  label: "Review of the game",
  loading: "Loading the boards...",
  menOf: (who: Side): string => `${side(who)}'s men`,
  all: "The referee's board",
  boards: "Boards",
  referee: "Referee",
  tabs: { moves: "Moves", known: "What could be known" },
  hears: (who: Side): string => `${side(who)} hears`,
  spectatorsHear: "Spectators hear",
  nothing: "Nothing.",
  start: "The start",
  step: (who: string, attempt: string, answer: string): string => `${who === "" ? "" : `${who}: `}${attempt}${answer === "" ? "" : `, ${answer}`}`,
  /** Texts of answers that are no refusal and no answer to a question. Empty if the attempt itself says the answer. */
  answers: { moved: "played", resigned: "", flag: "", gone: "", aborted: "" } as Partial<Record<AnswerJson, string>>,
  /** Names of what ends a game without an attempt. */
  ends: { flag: "out of time", gone: "left the game", abort: "game aborted" } as Readonly<Record<string, string | undefined>>,
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
    progress: "Moments computed",
    waits: "Waiting for other games",
    done: (done: number, all: number): string => `${done} of ${all} moments`,
    cancel: "Cancel",
    notComputed: "not computed",
    atStep: (step: number): string => ` at step ${step}`,
    graph: (who: Side, told: string, step: number, most: string): string => `Possible positions for ${side(who)} by step, on a logarithmic scale: ${told} at step ${step}${most}`,
    most: (step: number, told: string): string => `; most at step ${step}, ${told}`,
    tens: (n: number): string => (n < 4 ? (10 ** n).toLocaleString("en") : n < 6 ? `${10 ** (n - 3)} thousand` : n < 9 ? `${10 ** (n - 6)} million` : "1,000 million"),
    ended: "The positions are not computed to the end of the game, because it would take too long.",
    sampled: (limit: number): string =>
      `There were too many positions to list them all. Since then, a sample of at most ${limit.toLocaleString("en")} has been followed, so the numbers are estimates. The certain facts hold in all positions.`,
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
    /** A probability over 99 per cent that is not certain. */
    over: "> 99",
    percent: (square: string, percent: string): string => `${square} ${percent} %`,
    missedMates: (who: Side): string => `${side(who)} missed a forced mate:`,
    step: (step: number): string => `step ${step}`,
    missed: (moves: number): string => `A forced mate in ${ownMoves(moves)} was missed in the last turn.`,
    mate: (moves: number, line: readonly string[]): string => `Mate in ${ownMoves(moves)} can be forced: ${line.join("; then ")}.`,
    noneLeft: "none is left",
    andMore: (more: number): string => `, and ${more} more`,
  },
};
