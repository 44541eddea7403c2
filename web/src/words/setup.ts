// For unit tests: loads all English texts.

import { FILES, load } from "../language.svelte";

await load(...FILES);
