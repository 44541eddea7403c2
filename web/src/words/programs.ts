// The programs of a club, by name.

import { idOf, t } from "../language.svelte";

/** The title of a program and what it does; its name alone if the page does not know it. */
export const program = (name: string): { title: string; about: string } => ({ title: t(`program-${idOf(name)}`) || name, about: t(`program-${idOf(name)}-about`) });
