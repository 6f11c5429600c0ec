// Cards, names and texts as elements. Nothing from the log becomes markup: it all goes in as text.

const SVG = "http://www.w3.org/2000/svg";

/** An element: its name, with a class after a dot; attributes; what it holds. */
function el(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length > 0) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

function svg(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** A card in a line of text. */
function chip(card) {
  if (card === "X") return el("span.chip.joker", {}, board.short(card));
  const red = "dh".includes(board.suit(card)) ? ".red" : "";
  return el(`span.chip${red}`, { "aria-label": board.spoken(card), role: "img" }, `${board.short(card)}\ufe0e`);
}

const chips = (cards) => el("span.chips", {}, ...cards.flatMap((card) => [chip(card), " "]));

/** A text of the page: names for {2}, cards for 7h. */
function rich(text, position) {
  const pieces = new DocumentFragment();
  let from = 0;
  for (const match of text.matchAll(/\{([0-5])\}|(?<![\w])(?:[AKQJT2-9][shdc]|X)(?![\w])/g)) {
    pieces.append(text.slice(from, match.index));
    pieces.append(match[1] === undefined ? chip(match[0]) : el("bdi", {}, nameOf(position, Number(match[1]))));
    from = match.index + match[0].length;
  }
  pieces.append(text.slice(from));
  return pieces;
}

/** Words from outside: what steers the direction of writing is spelled out. */
const plain = (text) =>
  text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (c) => `\\u{${c.charCodeAt(0).toString(16)}}`);
