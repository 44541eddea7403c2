// What `index.html` and the manifest say. They are the same for all languages.

export const page = {
  name: "Kriegspiel Umpire",
  short: "Kriegspiel",
  description: "Kriegspiel: chess in which you do not see your opponent's men, and a referee answers each attempt.",
  pictureAlt: "A chess board with White's men. Black's men are hidden; the referee says: No.",
  noScript: "This page needs JavaScript. Programs can use the club at",
} as const;
