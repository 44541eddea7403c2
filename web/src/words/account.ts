// Accounts: sign in, sign up, sign out.

export const account = {
  signIn: "Sign in",
  signOut: "Sign out",
  signUp: "Make an account",
  create: "Make the account",
  name: "Name",
  password: "Password",
  cancel: "Cancel",
  rules: "A name has 2 to 20 letters, digits, - or _, and begins with a letter. A password has 8 to 128 characters.",
  why: "With an account you keep your name and your games. You can try the club without an account.",
  noAccount: "No account yet?",
  guest: "A guest has a name, but no password.",
  unfinished: (guest: string, games: number): string =>
    `You play as ${guest}, and ${games === 1 ? "a game of yours is" : `${games} games of yours are`} not over. Your seat stays with ${guest}: as somebody else you can only watch, and there is no way back. Finish it first.`,
  finishFirst: "Finish it first",
  signInAnyway: "Sign in all the same",
  createAnyway: "Make the account all the same",
  finishedStay: (guest: string): string => `What you have played as ${guest} stays under that name.`,
};
