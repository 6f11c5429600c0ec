// QR codes of links: bytes at level L, as ISO/IEC 18004 has them. Any mask is legal, and a link looks random: the first one will do.

/** Numbers of correcting bytes in each block, and of blocks, by version. */
const CHECKS = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, ...Array<number>(14).fill(30)];
const BLOCKS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25];
/** The quiet zone around a code, in squares. */
const BORDER = 4;

/** Returns the places of the small squares along a side. */
function places(version: number): number[] {
  if (version === 1) return [];
  const [gaps, last] = [Math.floor(version / 7) + 1, 4 * version + 10];
  const step = Math.floor((8 * version + 3 * gaps + 8) / (4 * gaps)) * 2;
  return [6, ...Array.from({ length: gaps }, (_, at) => last - (gaps - 1 - at) * step)];
}

/** Returns the number of bytes that a version holds, correcting ones included. */
function capacity(version: number): number {
  const small = places(version).length;
  const taken = 3 * 64 + (small > 0 ? 25 * (small * small - 3) - 10 * (small - 2) : 0) + 2 * (4 * version + 1) + 31 + (version > 6 ? 36 : 0);
  return (4 * version + 17) ** 2 - taken >> 3;
}

/** Multiplies in the field of 256 elements. */
function times(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) product = product << 1 ^ (product >> 7) * 0x11d ^ (b >> bit & 1) * a;
  return product;
}

/** Returns the correcting bytes of a block. */
function checksOf(block: number[], size: number): number[] {
  const divisor = [...Array<number>(size - 1).fill(0), 1];
  for (let [step, root] = [0, 1]; step < size; step++, root = times(root, 2)) divisor.forEach((each, at) => (divisor[at] = times(each, root) ^ (divisor[at + 1] ?? 0)));
  return block.reduce((rest, byte) => {
    const factor = byte ^ (rest[0] as number);
    return divisor.map((each, at) => (rest[at + 1] ?? 0) ^ times(each, factor));
  }, Array<number>(size).fill(0));
}

/** Returns the bytes of a code: of all blocks in turn, and then what corrects them. */
function interleaved(version: number, bytes: Uint8Array): number[] {
  const [size, count, all] = [CHECKS[version - 1] as number, BLOCKS[version - 1] as number, capacity(version)];
  const bits = [..."0100", ...bytes.length.toString(2).padStart(version < 10 ? 8 : 16, "0"), ...[...bytes].flatMap((byte) => [...byte.toString(2).padStart(8, "0")])].join("");
  const data = (`${bits}0000`.match(/.{1,8}/g) ?? []).map((byte) => parseInt(byte.padEnd(8, "0"), 2)).slice(0, all - size * count);
  for (let filler = 0xec; data.length < all - size * count; filler ^= 0xfd) data.push(filler);
  const [short, isLong] = [Math.floor(all / count) - size, (block: number) => block >= count - (all % count)];
  const blocks = Array.from({ length: count }, (_, block) => data.splice(0, short + Number(isLong(block))));
  const turns = (parts: number[][]) => Array.from({ length: short + size + 1 }, (_, at) => parts.flatMap((part) => part[at] ?? [])).flat();
  return [...turns(blocks), ...turns(blocks.map((block) => checksOf(block, size)))];
}

/** Returns bits with those that correct them, by a generator of `degree`. */
function corrected(bits: number, generator: number, degree: number): number {
  let rest = bits;
  for (let step = 0; step < degree; step++) rest = rest << 1 ^ (rest >> degree - 1) * generator;
  return bits << degree | rest;
}

/** Returns the rows of a text's code, dark squares as true, with a border. A text has at most 2953 bytes. */
export function squares(text: string): boolean[][] {
  const bytes = new TextEncoder().encode(text);
  const room = (version: number) => capacity(version) - (CHECKS[version - 1] as number) * (BLOCKS[version - 1] as number) - (version < 10 ? 2 : 3);
  let version = 1;
  while (version < 40 && room(version) < bytes.length) version++;
  const size = 4 * version + 17;
  const rows = Array.from({ length: size }, () => Array<boolean | undefined>(size).fill(undefined));
  const put = (x: number, y: number, isDark: boolean) => {
    if (rows[y] && x >= 0 && x < size) rows[y][x] = isDark;
  };
  // Squares around a centre, whose rings are dark or light.
  const rings = (x: number, y: number, radius: number, isDark: (ring: number) => boolean) => {
    for (let dy = -radius; dy <= radius; dy++) for (let dx = -radius; dx <= radius; dx++) put(x + dx, y + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))));
  };
  for (let at = 0; at < size; at++) [put(6, at, at % 2 === 0), put(at, 6, at % 2 === 0)];
  const small = places(version);
  for (const x of small) for (const y of small) if (![[6, 6], [6, size - 7], [size - 7, 6]].some(([a, b]) => a === x && b === y)) rings(x, y, 2, (ring) => ring !== 1);
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]] as const) rings(x, y, 4, (ring) => ring !== 2 && ring !== 4);
  // Level L with the first mask, and from version 7 on the version, both twice.
  const [format, number] = [corrected(0b01000, 0x537, 10) ^ 0x5412, corrected(version, 0x1f25, 12)];
  for (let at = 0; at < 15; at++) {
    const isDark = (format >> at & 1) === 1;
    put(8, at < 6 ? at : at < 8 ? at + 1 : size - 15 + at, isDark);
    put(at < 8 ? size - 1 - at : at < 9 ? 7 : 14 - at, 8, isDark);
  }
  put(8, size - 8, true);
  for (let at = 0; version > 6 && at < 18; at++) {
    const [a, b, isDark] = [size - 11 + (at % 3), Math.floor(at / 3), (number >> at & 1) === 1];
    [put(a, b, isDark), put(b, a, isDark)];
  }
  const data = interleaved(version, bytes);
  let bit = 0;
  // Two columns at a time, from the right, up and down in turn; the column of dots is passed over.
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2) {
    const isUp = (right + 1 & 2) === 0;
    for (let step = 0; step < size; step++) for (const x of [right, right - 1]) {
      const y = isUp ? size - 1 - step : step;
      if (rows[y]?.[x] !== undefined) continue;
      put(x, y, ((data[bit >> 3] ?? 0) >> 7 - (bit & 7) & 1) === 1 !== ((x + y) % 2 === 0));
      bit += 1;
    }
  }
  const side = Array<boolean>(BORDER).fill(false);
  const wide = Array.from({ length: BORDER }, () => Array<boolean>(size + 2 * BORDER).fill(false));
  return [...wide, ...rows.map((row) => [...side, ...row.map((each) => each === true), ...side]), ...wide];
}
