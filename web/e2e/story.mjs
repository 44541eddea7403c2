// The golden game: refusals, Any? with both answers, captures, a draw offer, a check, a
// promotion, mate. Each line has the player, the attempt, and how the player makes it.

export const RULES = "berkeley-any";
export const TITLE = "Berkeley with a public Any?";

export const GAME = [
  ["white", "e2e4", "drags"],
  ["black", "d7d5", "clicks"],
  ["white", "any", "asks"],
  // After the answer "yes" the player must make a pawn capture, so the page asks before it sends any other try.
  ["white", "b1c3", "insists"],
  ["white", "e4f5", "drags"],
  ["white", "e4d5", "drags"],
  ["black", "any", "asks"],
  // After the answer "no", the player can know that no pawn can capture. So the page asks before it
  // sends a pawn capture.
  ["black", "e7d6", "insists"],
  ["black", "e7e6", "types"],
  ["white", "d5e6", "clicks"],
  ["black", "offer-draw", "offers"],
  ["white", "decline-draw", "declines"],
  ["black", "b8c6", "drags"],
  ["white", "e6f7", "drags"],
  ["black", "a7a6", "types"],
  ["black", "e8e7", "clicks"],
  ["white", "f7g8q", "promotes"],
  ["black", "d8d7", "clicks"],
  ["white", "d1f3", "types"],
  ["black", "c6d4", "drags"],
  ["white", "f3f8", "drags"],
];

/** The attempts only. */
export const ATTEMPTS = GAME.map(([, attempt]) => attempt);
