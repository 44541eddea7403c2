// Loads the part of the page that shows a game. This part is separate, because the first screen
// does not need it and must be small.

export const loadGame = (): Promise<typeof import("./Game.svelte")> => import("./Game.svelte");
