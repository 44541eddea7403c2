// Texts of the page that are not in a file `LANGUAGE/NAME.ftl` yet. A text with changing values is a function.
//
// `Rich.svelte` shows a text with emphasis (`**strong**`, `_stress_`) and links (`[Lobby](/)`).

export { account } from "./account";
export { chess } from "./chess";
export { game } from "./game";
export { lobby } from "./lobby";
export { review } from "./review";
export { site } from "./site";
