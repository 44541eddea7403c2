// Loads the part of the page that shows a game. This part is separate, because the first screen
// does not need it and must be small.

import { withTexts } from "./language.svelte";

export const loadGame = (): Promise<typeof import("./play")> => withTexts(import("./play"), "cause", "game", "heard");
