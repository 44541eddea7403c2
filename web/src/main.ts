import { mount } from "svelte";
import "chessground/assets/chessground.base.css";
import "./dress.css";
import "./board.css";
import "./meanings.css";
import "./talk.css";
import App from "./App.svelte";
import { club } from "./club.svelte";
import { keepFocus } from "./focus";
import { followLinks } from "./router.svelte";
import { dress } from "./settings.svelte";
import { wake } from "./sound";

dress();
followLinks();
keepFocus();
wake();
club.open();
mount(App, { target: document.getElementById("page")! });
