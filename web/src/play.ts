// What shows a game, in one file: the game itself, and the boards of the front page.

export { default } from "./Game.svelte";
export { begin } from "./device";
export { default as Device } from "./Device.svelte";
export { default as Featured } from "./parts/Featured.svelte";
export { default as Demo } from "./parts/Demo.svelte";
