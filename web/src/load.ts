// The part of the page that shows a game. It is not needed for the first screen, so that the first screen is small.

export const loadGame = (): Promise<typeof import("./Game.svelte")> => import("./Game.svelte");
