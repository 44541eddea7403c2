import { mount } from "svelte";
import "./design/tokens.css";
import "./design/base.css";
import App from "./App.svelte";
import { club } from "./club.svelte";
import { keepFocus } from "./focus";
import { speak } from "./language.svelte";
import { loadGame } from "./load";
import { followLinks } from "./router.svelte";
import { dress, settings } from "./settings.svelte";
import { wake } from "./sound";

dress();
followLinks();
keepFocus();
wake();
club.open();
// A failure is ignored here. If the part is still missing when a game is opened, the failure is
// shown then.
const loadsGame = (): void => void loadGame().catch(() => {});
if (location.pathname.startsWith("/game/")) loadsGame();
void speak(settings.language).then(() => mount(App, { target: document.getElementById("page")! }));
// When the first screen is drawn, the game is loaded, so that a game opens at once.
requestAnimationFrame(() => setTimeout(loadsGame));
// Without https (except at this device), browsers have no service worker.
if (import.meta.env.PROD) addEventListener("load", () => void loadGame().finally(() => navigator.serviceWorker?.register("/sw.js")).catch(() => {}));
