// The page of an invitation: a link that the user sends to a friend.

export const invitation = {
  title: "Kriegspiel Umpire: a challenge",
  yours: "Your challenge by link",
  theirs: (name: string): string => `${name} challenges you`,
  randomColours: "random colours",
  youPlay: (side: string): string => `you play ${side}`,
  youWould: (side: string): string => `you would play ${side}`,
  send: "Send this link. You play against the first person who opens it and accepts. The game then opens here by itself.",
  link: "The link",
  copy: "Copy",
  copied: "Copied",
  withdraw: "Cancel",
  taken: "Somebody has already accepted this challenge, which is for one game. You can watch games in progress in the lobby.",
  accept: "Accept and play",
  toLobby: "To the lobby",
  loading: "Loading...",
  missing: "No such challenge",
};
