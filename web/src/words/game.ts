// A game that is being played: calls, board, guesses, questions, commands, keys.

import type { Square } from "../men";
import type { Man, Side } from "../wire";
import { chess } from "./chess";

const side = (one: Side): string => chess.sides[one];

export const game = {
  untitled: "A game",
  pageTitle: (white: string, black: string, yourTurn: boolean): string => `${yourTurn ? "Your turn: " : ""}${white} against ${black}`,
  heading: (white: string, black: string): string => `${white} against ${black}`,
  missing: "No such game",
  loading: "Loading the game...",
  calls: "Calls",
  nothingYet: "Nothing yet.",
  toLobby: "To the lobby",
  keepGames: "Create an account to keep your games",

  call: {
    label: "Last call",
    over: "The game is over",
    adjourned: "Game adjourned. Clocks are paused",
    asking: "Asking the referee...",
    yourTurn: "Your turn",
    toMove: (who: Side): string => `${side(who)} to move`,
    thinking: (who: Side): string => `${side(who)} is thinking`,
    loading: "The game is being loaded.",
    explain: "Explain",
    explainLabel: "Explain the calls",
    meanings: "What the calls mean",
    otherMeanings: "What else can be said under these rules",
    aKing: "A king",
    yourKing: "Your king",
    kingOn: (king: string, square: string): string => `${king} on ${square}:`,
    longOne: "the long one is",
    shortOne: "the short one is",
    line: (from: string, to: string): string => `${from} to ${to}`,
  },

  reason: {
    impossibleLabel: "Impossible move",
    impossible: (move: string): string => `${move} is impossible`,
    impossibleSpoken: (move: string): string => `${move} is impossible: your own men and the announcements show it. The referee was not asked.`,
    notAsked: "Your own men and the announcements show it, so the referee was not asked.",
    insist: "Ask the referee anyway",
    confirmLabel: "Confirm the move",
    confirm: (move: string): string => `Try ${move}?`,
    confirmSpoken: (move: string): string => `Try ${move}? Make the same move again, or press Try.`,
    send: "Try",
    takeBack: "Take back",
    again: "Make the same try again to ask anyway.",
    againHeard: "Make the same try again to ask anyway; everybody will hear that a try was refused.",
    notDone: "Not done",
    unconfirmed: "Not confirmed",
    why: "Why?",
    whyLabel: "Why",
    whyNot: (move: string): string => `Why not ${move}?`,
    meansLabel: "What that means",
    unheard: "Your opponent did not hear of this.",
    next: (free: boolean): string => (free ? "Nothing is lost: make another try." : "Make another try."),
    understood: "OK",
    adjourned: "Game adjourned",
    adjournedText: "Clocks are paused. You find the game in the lobby, under “Your games”. The game continues when both players have pressed “Resume”.",
    beginLabel: "How to begin",
    begin: "Try anything",
    beginText: (free: boolean | null): string =>
      `You do not see your opponent's men. Drag a man, press a man and a square, or type the move. If it is illegal, the referee says no and you try again${free === true ? "; this costs nothing" : free === false ? ", but everybody hears that a try was refused" : ""}. “Explain” says what the referee's words mean.`,
    watchLabel: "What a spectator hears",
    watch: "You are watching",
    watchText:
      "You hear what the referee announces to everybody. While the game is in progress, the men of both players are hidden, because a spectator could tell a player about them. The square that was named last is marked. After the end of the game, three boards show everything here.",
    boxLabel: "Reason",
  },

  board: {
    empty: "An empty board: spectators hear announcements only",
    yours: (men: string): string => `Your men: ${men}.`,
    guesses: (men: string): string => ` Your guesses: ${men}.`,
    end: (white: string, black: string): string => `The end. White: ${white}. Black: ${black}.`,
    squares: "Squares: walk with the arrow keys, pick up and put down with Enter",
    square: (square: Square, what: readonly string[]): string => [square, ...what].join(", "),
    own: (man: Man): string => `your ${chess.men[man]}`,
    guess: (man: Man): string => `your guess, ${chess.men[man]}`,
    nothing: "empty",
    picked: "picked up",
    /** What is drawn on a square. */
    marks: {
      check: "in check",
      line: "on the line of the check",
      jump: "a knight may give check from here",
      told: "a man was captured here",
      goal: "pawn try",
      meant: "may have a pawn try",
      refused: "refused",
      mine: "your last move",
    } as Readonly<Record<string, string | undefined>>,
  },

  /** The end of a game. */
  end: {
    label: "After the game",
    tallies: (moves: number, tries: number, refused: number): string => `${moves === 1 ? "1 move" : `${moves} moves`} · ${tries === 1 ? "1 try" : `${tries} tries`}, ${refused} refused`,
    another: "New opponent",
    review: "Review",
    share: "Share",
    copied: "The link is copied.",
  },

  seat: { you: "you", program: "program", away: "away", clock: (who: Side): string => `${side(who)}'s clock` },

  field: {
    label: "Type a try",
    send: "Try",
    example: "e4, Nf3, O-O",
    help: "Or ask: **p n** where are my knights, **s e4** what is on e4, **l** last call, **?** all questions.",
    key: "Key /. ",
  },
  /** Answers to typed questions, from what the player knows. */
  answers: {
    nothing: (square: string): string => `${square}: no man of yours, and no guess.`,
    yours: (square: string, man: Man): string => `${square}: your ${chess.men[man]}.`,
    guess: (square: string, man: Man): string => `${square}: you guess a ${chess.men[man]}.`,
    men: (name: string, squares: string): string => `${name} ${squares}.`,
    noMen: (man: Man): string => `You have no ${chess.men[man]}.`,
    reserve: (men: string): string => `In reserve: ${men}.`,
    opponent: (name: string): string => `Your opponent: ${name}.`,
    watching: "You watch this game.",
    playing: (seat: Side | null, rules: string): string => `${seat === null ? "You watch" : `You are ${side(seat)}`}; the rules are ${rules}.`,
    clocks: (white: string, black: string): string => `White ${white}, Black ${black}.`,
    noClock: "This game has no clock.",
    paused: "Clocks are paused.",
    questions:
      "Ask p and a man (p n: knights), s and a square, a file or a rank (s e4, s a, s 4), l (last call), o (opponent), c (clocks), i (this game).",
  },

  /** What an act at the table means. An act that ends or adjourns the game needs no words. */
  acts: {
    adjourn: "You offer to adjourn. The game continues until your opponent accepts.",
    resume: "You offer to resume the game. The clocks are stopped until your opponent accepts.",
    "decline-adjourn": "The offer is no longer open.",
    rematch: "You offer a rematch with colours exchanged.",
    "decline-rematch": "The offer of a rematch is no longer open.",
  } as Readonly<Record<string, string | undefined>>,

  refused: "Impossible moves",
  reserve: "Reserve",
  reserveLabel: "Your reserve, to drop",
  drop: (man: Man, count: number): string => `Drop a ${chess.men[man]}: ${count} in reserve`,
  ask: "Ask the referee",
  atTable: "Game",
  more: "More",
  answerOffer: "Answer",
  keys: "Keys",
  yourMen: "Your men",
  firstMove: (yours: boolean, seconds: number): string =>
    `${yours ? "Make your first move" : "The first move must be made"} within ${seconds} s, or the game is aborted.`,
  claimFrom: (away: boolean, moment: string, time: string): string =>
    `${away ? "Your opponent is away." : "Your opponent has not moved."} You may claim the game from ${moment} on (in ${time}).`,
  claimNow: (away: boolean): string => `Your opponent ${away ? "is away" : "has not moved"}. You may claim the game, or wait.`,
  span: (seconds: number): string => {
    if (seconds < 120) return `${seconds} s`;
    if (seconds < 7200) return `${Math.ceil(seconds / 60)} min`;
    return `${Math.ceil(seconds / 3600)} hours`;
  },
  drawOffer: (yours: boolean): string => (yours ? "You offer a draw." : "Your opponent offers a draw."),
  adjournOffer: (yours: boolean, adjourned: boolean): string => `${yours ? "You offer" : "Your opponent offers"} to ${adjourned ? "resume the game" : "adjourn"}.`,
  rematchOffer: (yours: boolean): string => (yours ? "You offer a rematch." : "Your opponent offers a rematch."),
  acceptRematch: "Accept the rematch",
  nextGame: "To the next game",
  adjournedSpoken: "Game adjourned. Clocks are paused.",
  resumedSpoken: "The game continues.",
  casual: "casual",
  rated: "rated",
  refusalsMover: "only you hear your refusals",
  refusalsAll: "everybody hears of refused tries",
  differences: "How these rules differ",
  promotion: {
    title: "Promote the pawn to",
    asItIs: "As it is",
    names: { queen: "Queen", rook: "Rook", bishop: "Bishop", knight: "Knight", king: "King", pawn: "Pawn" } as Record<Man, string>,
    cancel: "Cancel",
  },
  cancel: "Cancel",

  log: {
    title: "Heard so far",
    start: "Start",
    yourTurn: (n: number): string => `Your turn ${n}`,
    turn: (who: Side, n: number): string => `${side(who)}'s turn ${n}`,
  },

  guesses: {
    title: "Your guesses",
    sets: "Which guess is shown",
    set: (name: string): string => `Guess ${name}`,
    men: "Men to place",
    man: (man: Man, free: number, most: number): string => `${capital(chess.men[man])}: ${free} of ${most} to place`,
    reading: "Write men and squares: ke8 qd8, or e5 for a pawn; -e5 removes the guess.",
    own: (square: string): string => `Your own man stands on ${square}.`,
    placed: (man: Man, square: string): string => `${capital(chess.men[man])} on ${square}.`,
    removed: (square: string): string => `${square}: removed.`,
    placing: (man: Man): string => `Press a square for each ${chess.men[man]}. To remove the guess, press the square again. To stop, press the ${chess.men[man]} beside the board.`,
    left: (count: number, reserve: string | null): string => {
      const men = count === 1 ? "1 enemy man is" : `${count} enemy men are`;
      return reserve === null ? `${men} left.` : `${men} on the board; in reserve: ${reserve === "" ? "none" : reserve}.`;
    },
    atMost: (pawns: number, pieces: number): string => `At most ${pawns === 1 ? "1 pawn" : `${pawns} pawns`} and ${pieces === 1 ? "1 piece" : `${pieces} pieces`}, not counting the king. Each pawn may have been promoted.`,
    placingLabel: "Placing guesses",
    placingTitle: (man: Man): string => `Where do you guess a ${chess.men[man]}?`,
    help: "Pick a man, then its squares. A right click or a long press removes a guess. Guesses never leave this device.",
    field: "Type guesses",
    example: "ke8 qd8, -e5",
    place: "Place",
    opening: "Set up the opening position",
    undo: "Undo",
    clear: "Clear all",
    list: "Guesses on the board",
    remove: ": remove",
    done: "Set up.",
    undone: "Undone.",
    oneKing: "There is only one king.",
    pawnsLeft: (pawns: number): string => `At most ${pawns === 1 ? "1 pawn" : `${pawns} pawns`} can be left.`,
    piecesLeft: (pieces: number, pawns: boolean): string => `At most ${pieces} ${pieces === 1 ? "piece" : "pieces"} can be left, not counting the king${pawns ? " and these pawns" : ""}.`,
    noneYet: (man: Man, most: number): string => `At most ${chess.counted(man, most)}: no pawn can have been promoted yet.`,
    noneAnnounced: (man: Man, most: number): string => `At most ${chess.counted(man, most)}: no promotion was announced.`,
    promotedLeft: (most: number): string => `At most ${most === 1 ? "1 pawn" : `${most} pawns`} can have been promoted by now.`,
    noPawnLeft: (man: Man, most: number, pawns: number): string => `With ${chess.counted("pawn", pawns)} there can be at most ${chess.counted(man, most)}.`,
    private: "on this device only",
    pick: (man: Man, free: number): string => `${capital(chess.men[man])}: press a square; ${free === 0 ? "none" : free} left.`,
    menLeft: (men: number): string => `Only ${men === 1 ? "1 man is" : `${men} men are`} left in all.`,
    show: "Guesses",
    hide: "Hide",
  },

  closeHelp: "Close",

  help: {
    title: "Keys and words",
    escapeKey: "Esc",
    escape: "puts the selected man back",
    words: (words: string): string => `Instead of pressing a button you can type its word into the field; now: ${words}.`,
    keys: {
      "/": "goes to the field where a try is typed",
      l: "reads the last call aloud again (screen readers)",
      e: "explains the last call, and what else can be said",
      "?": "shows these keys",
    },
    questions: {
      "p n": "typed: where your knights are (p and the letter of a man; p alone: all your men)",
      "s e4": "typed: what you have on e4 (s a, s 4: on a file, on a rank)",
      l: "typed: the last call",
      o: "typed: your opponent",
      c: "typed: the clocks",
      i: "typed: your colour and the rules",
    },
  },

  commands: {
    any: { label: "Any?", about: "asks whether a pawn of yours can capture" },
    count: { label: "Count", about: "asks how often your opponent was refused" },
    recap: { label: "Recap", about: "asks for the last announcements again" },
    px: { label: "Play the pawn try", about: "plays the only announced pawn capture" },
    "accept-draw": { label: "Accept draw", about: "accepts the draw offer", confirm: "Accept the draw? The game ends." },
    "decline-draw": { label: "Decline draw", about: "declines the draw offer" },
    "offer-draw": { label: "Offer draw", about: "offers a draw" },
    "withdraw-draw": { label: "Withdraw draw offer", about: "withdraws your draw offer" },
    "claim-win": { label: "Claim the win", about: "your opponent is gone: claims the win" },
    "claim-draw": { label: "Claim a draw", about: "your opponent is gone: claims a draw" },
    abort: {
      label: "Abort",
      about: "ends the game without a result, before both players have moved",
      confirm: "Abort the game? It then ends without a result.",
    },
    "offer-adjourn": { label: "Offer to adjourn", about: "offers to continue on another day" },
    adjourn: { label: "Adjourn", about: "agrees to continue on another day" },
    resume: { label: "Resume", about: "offers to continue the adjourned game, or accepts this offer" },
    "withdraw-adjourn": { label: "Withdraw the offer", about: "withdraws your offer to adjourn or to resume" },
    "decline-adjourn": { label: "Decline", about: "declines the offer to adjourn or to resume" },
    resign: { label: "Resign", about: "resigns the game", confirm: "Resign? Your opponent wins." },
    rematch: { label: "Rematch", about: "offers another game with exchanged colours, or accepts this offer" },
    "withdraw-rematch": { label: "Withdraw the rematch", about: "withdraws your offer of a rematch" },
    "decline-rematch": { label: "Decline the rematch", about: "declines the offer of a rematch" },
  },
};

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
