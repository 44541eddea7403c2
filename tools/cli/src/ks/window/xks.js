// The page of xks. It shows what the program sends and sends what the user
// does. It knows no rules: the referee answers every try.
const at = (id) => document.getElementById(id);
const ROLES = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
const HELP = [
  "Move a man with the left mouse button: drag it, or click it and then its target.",
  "a: any? d: offer or accept a draw. x: decline a draw. w: withdraw your offer.",
  "m: type a move or a word. s: say something. r and then y: resign.",
  "b: draw the board again. q: leave; the same command continues the game. h: this help.",
];
const LETTERS = { a: "any", d: "draw", x: "decline", w: "withdraw", b: "board", q: "quit" };

let state = { n: 0, men: [], lines: [], color: null, rotated: false, ended: false };
let shown = 0;
let from = null;
let resigns = false;

function name(row, column) {
  const flipped = state.color === "black" && !state.rotated;
  return "abcdefgh"[flipped ? 7 - column : column] + (flipped ? row + 1 : 8 - row);
}

function note(text) {
  at("note").textContent = text;
}

async function send(line) {
  try {
    const answer = await fetch("/line", { method: "POST", body: line });
    if (!answer.ok) note(await answer.text());
  } catch {
    note("The program does not answer. Run the same command again and open its new address.");
  }
}

function say(lines) {
  for (const line of lines) {
    const item = document.createElement("li");
    item.textContent = line;
    at("lines").append(item);
  }
  at("lines").scrollTop = at("lines").scrollHeight;
}

function draw() {
  at("heading").textContent = state.heading;
  document.title = `xks: ${state.heading}`;
  const men = new Map(state.men);
  const squares = [];
  for (let row = 0; row < 8; row += 1) {
    for (let column = 0; column < 8; column += 1) {
      const square = name(row, column);
      const man = men.get(square);
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.square = square;
      button.className = (row + column) % 2 ? "dark" : "";
      if (square === from) button.classList.add("from");
      const role = man && `${man === man.toUpperCase() ? "white" : "black"}-${ROLES[man.toLowerCase()]}`;
      button.setAttribute("aria-label", role ? `${square}, ${role.replace("-", " ")}` : square);
      if (role) {
        const image = document.createElement("img");
        image.src = `/men/${role}.svg`;
        image.alt = "";
        button.append(image);
      }
      const label = document.createElement("span");
      label.textContent = row === 7 || column === 0 ? square : "";
      button.append(label);
      squares.push(button);
    }
  }
  at("board").replaceChildren(...(state.color ? squares : []));
}

function choose(square) {
  if (from && from !== square) {
    send(`${from}-${square}`);
    from = null;
  } else {
    from = from ? null : state.men.some(([own]) => own === square) ? square : null;
  }
  draw();
}

function squareAt(event) {
  const element = document.elementFromPoint(event.clientX, event.clientY);
  return element?.closest("#board button")?.dataset.square;
}

let pressed = null;
at("board").addEventListener("pointerdown", (event) => {
  if (event.button !== 0) return;
  pressed = squareAt(event);
  event.preventDefault();
});
document.addEventListener("pointerup", (event) => {
  if (event.button !== 0 || !pressed) return;
  const to = squareAt(event);
  const start = pressed;
  pressed = null;
  if (to && to !== start && state.men.some(([own]) => own === start)) {
    from = null;
    send(`${start}-${to}`);
    draw();
  } else if (to === start) {
    choose(start);
  }
});
// The keyboard selects squares too.
at("board").addEventListener("keydown", (event) => {
  const square = event.target.closest("button")?.dataset.square;
  if (square && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    choose(square);
  }
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target === at("line")) return;
  const key = event.key.toLowerCase();
  const was = resigns;
  resigns = false;
  if (key === "h") say(HELP);
  else if (key === "m" || key === "s") {
    event.preventDefault();
    at("line").value = key === "s" ? "say " : "";
    at("line").focus();
  } else if (key === "r") {
    resigns = true;
    note("Press y to resign the game, or any other key to play on.");
  } else if (key === "y" && was) send("resign");
  else if (LETTERS[key]) send(LETTERS[key]);
});
at("line").addEventListener("keydown", (event) => {
  if (event.key === "Escape") at("line").blur();
});
at("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const line = at("line").value;
  at("line").value = "";
  at("line").blur();
  if (line.trim()) send(line);
});

async function follow() {
  for (;;) {
    try {
      const answer = await fetch(`/state?after=${state.n}`);
      if (!answer.ok) throw new Error(await answer.text());
      state = await answer.json();
      // After 500 lines the program drops the first ones.
      if (state.lines.length < shown || state.lines.length === 500) {
        at("lines").replaceChildren();
        shown = 0;
      }
      say(state.lines.slice(shown));
      shown = state.lines.length;
      draw();
      if (state.ended) {
        note("The program has ended. The same command opens a new page.");
        return;
      }
    } catch {
      note("The program does not answer. Run the same command again and open its new address.");
      await new Promise((wakes) => setTimeout(wakes, 1000));
    }
  }
}
follow();
