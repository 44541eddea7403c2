// Men, sides, moves, times and results.

import type { Man, ReasonJson, Side } from "../wire";

const span = (seconds: number): string => {
  if (seconds % 3600 === 0) return seconds === 3600 ? "1 hour" : `${seconds / 3600} hours`;
  if (seconds % 60 === 0) return `${seconds / 60} min`;
  return `${seconds} s`;
};

const MEN: Record<Man, string> = { king: "king", queen: "queen", rook: "rook", bishop: "bishop", knight: "knight", pawn: "pawn" };
const PLURALS: Record<Man, string> = { king: "Kings", queen: "Queens", rook: "Rooks", bishop: "Bishops", knight: "Knights", pawn: "Pawns" };

export const chess = {
  sides: { white: "White", black: "Black" } as Record<Side, string>,
  men: MEN,
  plurals: PLURALS,
  counted: (man: Man, count: number): string => (count === 1 ? MEN[man] : `${count} ${MEN[man]}s`),
  joined: (all: readonly string[]): string => all.join(", "),
  clock: {
    fischer: (initial: number, increment: number): string => `${span(initial)} + ${span(increment)} per move`,
    plain: (initial: number): string => `${span(initial)} each`,
    unlimited: "no clock",
  },
  /** The language of dates and numbers. */
  locale: "en-GB",
  /** A try in words. */
  step: (from: string, to: string): string => `${from} to ${to}`,
  promoted: (from: string, to: string, man: Man): string => `${from} to ${to}, ${MEN[man]}`,
  dropped: (man: Man, to: string): string => `${MEN[man]} dropped on ${to}`,
  castlesShort: "O-O",
  castlesLong: "O-O-O",
  ends: {
    aborted: "Game aborted",
    drawn: "Draw",
    youWon: "You won",
    youLost: "You lost",
    won: { white: "White won", black: "Black won" } as Record<Side, string>,
  },
  causes: {
    checkmate: "checkmate",
    stalemate: "stalemate",
    insufficient: "too little material",
    threefold: "threefold repetition",
    fifty: "fifty moves",
    resignation: "resignation",
    agreement: "by agreement",
    time: "out of time",
    "exhausted-tries": "three pawn captures were refused",
    aborted: "",
    abandoned: "a player has left the game",
  } as Record<ReasonJson, string>,
};
