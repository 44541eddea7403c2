// The dialog that is open above every screen: sign in, make an account, the user's account.

export const dialogs = $state<{ open: "in" | "up" | "own" | null }>({ open: null });
