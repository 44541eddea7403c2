// The catalogue: every text of the page, by screen. A text with changing values is a function.
// `words.test.mjs` checks that no text is outside this folder.
//
// `Rich.svelte` shows a text with emphasis (`**strong**`, `_stress_`) and links (`[Lobby](/)`).

export { account } from "./account";
export { choices } from "./choices";
export { chess } from "./chess";
export { game } from "./game";
export { invitation } from "./invitation";
export { lobby } from "./lobby";
export { review } from "./review";
export { rules } from "./rules";
export { settings } from "./settings";
export { site } from "./site";
export { talk } from "./talk";
