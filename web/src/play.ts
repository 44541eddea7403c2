// What shows a game, in one file: the game itself, and the boards of the front page.

export { default } from "./Game.svelte";
export { default as Demo } from "./parts/Demo.svelte";
