// The card faces: one SVG symbol a card. Index, suit and pips are set here by number; suits, court, joker and back are
// drawn in faces.svg. Report pages get the same symbols.

import { readFileSync } from "node:fs";

const drawn = new URL("faces.svg", import.meta.url);
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const [L, M, R] = [22, 31, 40];
const PIPS = [
  [[M, 44]],
  [[M, 19], [M, 69]],
  [[M, 19], [M, 44], [M, 69]],
  [[L, 19], [R, 19], [L, 69], [R, 69]],
  [[L, 19], [R, 19], [M, 44], [L, 69], [R, 69]],
  [[L, 19], [R, 19], [L, 44], [R, 44], [L, 69], [R, 69]],
  [[L, 19], [R, 19], [M, 32], [L, 44], [R, 44], [L, 69], [R, 69]],
  [[L, 19], [R, 19], [M, 32], [L, 44], [R, 44], [M, 56], [L, 69], [R, 69]],
  [[L, 19], [R, 19], [L, 36], [R, 36], [M, 44], [L, 52], [R, 52], [L, 69], [R, 69]],
  [[L, 19], [R, 19], [M, 27], [L, 36], [R, 36], [L, 52], [R, 52], [M, 61], [L, 69], [R, 69]],
];

const turned = (shape) => shape + shape.replace("/>", ' transform="rotate(180 31 44)"/>');

function face(letter, ink, rank, id) {
  const narrow = RANKS[rank] === "10" ? ' textLength="15" lengthAdjust="spacingAndGlyphs"' : "";
  const index =
    `<g id="i${id}"><text class="ix" x="9.5" y="18"${narrow}>${RANKS[rank]}</text>` +
    `<use href="#${letter}" transform="translate(9.5 26.5)scale(.52)"/></g>`;
  const court =
    turned(`<use href="#${RANKS[rank]}"/>`) + '<use href="#w"/>' +
    `<use href="#${letter}" transform="translate(22 20)scale(.42)"/>` +
    `<use href="#${letter}" transform="rotate(180 31 44)translate(22 20)scale(.42)"/>`;
  const pip = ([x, y]) =>
    `<use href="#${letter}" transform="translate(${x} ${y})scale(${rank === 0 ? 1.5 : 0.56})${y > 44 ? "rotate(180)" : ""}"/>`;
  const inside = rank > 9 ? court : PIPS[rank].map(pip).join("");
  return (
    `${index}<symbol id="c${id}" viewBox="0 0 62 88"><use href="#f"/><g class="${ink}">` +
    `${turned(`<use href="#i${id}"/>`)}${inside}</g></symbol>`
  );
}

/** All symbols, in one hidden picture. */
export function faces() {
  const cards = [..."cdhs"].flatMap((letter, suit) =>
    RANKS.map((_, rank) => face(letter, "dh".includes(letter) ? "r" : "k", rank, 13 * suit + rank)),
  );
  const svg = readFileSync(drawn, "utf8").trim();
  return `<svg id="faces" width="0" height="0" aria-hidden="true">${svg}\n${cards.join("\n")}\n</svg>`;
}
