// The programs of a club, by name.

export interface Program {
  title: string;
  about: string;
}

const PROGRAMS: Readonly<Record<string, Program>> = {
  random: { title: "Random moves", about: "plays random moves; never asks a question" },
  "random+any": { title: "Random moves and questions", about: "like random, but asks Any? one time in four; sometimes asks for the count or the recap, uses px, or offers, accepts, declines or withdraws a draw" },
  sparring: { title: "Sparring partner", about: "plays as level-4" },
  "semi-random": { title: "Random moves, captures first", about: "plays random moves, but recaptures, tries pawn captures and asks Any? first; a yardstick" },
  simple: { title: "Rules of thumb", about: "recaptures, promotes, makes announced pawn captures, else moves to where its men reach most squares; a yardstick" },
  mcts: { title: "Tree search", about: "information set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012); a yardstick" },
  master: { title: "Master", about: "plays to win: weighs the positions that are possible, compares all attempts in the same positions, expects recaptures, mates a lone king" },
  "level-1": { title: "Level 1 (beginner)", about: "remembers little, overlooks many moves, does not think of recaptures" },
  "level-2": { title: "Level 2 (easy)", about: "remembers a little more, overlooks fewer moves, seldom thinks of recaptures" },
  "level-3": { title: "Level 3 (medium)", about: "overlooks some moves, seldom thinks of recaptures, often forgets what it heard before" },
  "level-4": { title: "Level 4 (hard)", about: "remembers more, and is seldom careless" },
  "level-5": { title: "Level 5 (very hard)", about: "remembers most of what it heard" },
  "level-6": { title: "Level 6 (strongest)", about: "remembers everything that it heard, expects recaptures, mates a lone king" },
};

/** The title of a program and what it does; its name alone if the page does not know it. */
export const program = (name: string): Program => PROGRAMS[name] ?? { title: name, about: "" };
export const programs: readonly string[] = Object.keys(PROGRAMS);
