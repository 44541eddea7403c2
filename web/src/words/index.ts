// The catalogue: every text of the page, by screen. A text with changing values is a function.
// `words.test.ts` checks that no text stands outside this folder.
//
// `Rich.svelte` shows a text with emphasis (`**strong**`) and links (`[Lobby](/)`).

export { account } from "./account";
