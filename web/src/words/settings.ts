// The page of settings.

export const settings = {
  pageTitle: "Kriegspiel Umpire: settings",
  title: "Settings",
  about: "This device keeps them; nothing is sent.",
  look: "Look",
  playing: "Playing",
  sounds: "Sounds",
  choices: {
    theme: { title: "Colours", values: { auto: "As the device", light: "Light", dark: "Dark" } },
    contrast: { title: "Contrast", values: { auto: "As the device", more: "High" } },
    board: { title: "Board", values: { green: "Green" } },
    men: { title: "Men", values: { umpire: "Umpire" } },
    notation: { title: "Notation", values: { san: "Nf3", coordinates: "g1f3", descriptive: "N-KB3" } },
  } as Record<"theme" | "contrast" | "board" | "men" | "notation", { title: string; values: Record<string, string> }>,
  ticks: { confirm: "Confirm each move on the board", keys: "Single keys are commands in a game", sound: "Play sounds" },
  volume: "Volume",
  percent: (part: number): string => `${Math.round(100 * part)} %`,
  listen: "Listen",
};
