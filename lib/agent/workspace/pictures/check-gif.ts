const IMAGE = 0x2c;
const EXTENSION = 0x21;
const MOST_CODES = 4_096;

/** Whether all frames are there and the first one has all its pixels. */
export function isSoundGif(bytes: Buffer): boolean {
  if (bytes.length < 13) return false;
  let at = 13 + colourBytes(bytes[10] ?? 0);
  for (let frames = 0; ; ) {
    const kind = bytes[at];
    // Some writers leave the trailer out, and some add bytes of their own.
    if (kind !== IMAGE && kind !== EXTENSION) return frames > 0 && at <= bytes.length;
    const blocks = readBlocks(bytes, kind === IMAGE ? dataOfFrame(bytes, at) + 1 : at + 2);
    if (blocks === null) return false;
    if (kind === IMAGE) {
      if (frames === 0 && !isWholeFrame(bytes, at, blocks.parts)) return false;
      frames += 1;
    }
    at = blocks.end;
  }
}

function isWholeFrame(bytes: Buffer, at: number, parts: readonly Buffer[]): boolean {
  const pixels = bytes.readUInt16LE(at + 5) * bytes.readUInt16LE(at + 7);
  return hasPixels(Buffer.concat(parts), bytes[dataOfFrame(bytes, at)] ?? 0, pixels);
}

function colourBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

function dataOfFrame(bytes: Buffer, at: number): number {
  return at + 10 + colourBytes(bytes[at + 9] ?? 0);
}

/** The blocks from `start` to the empty one that ends them; null if they break off. */
function readBlocks(bytes: Buffer, start: number): { readonly parts: Buffer[]; readonly end: number } | null {
  const parts: Buffer[] = [];
  for (let at = start; ; ) {
    const length = bytes[at];
    if (length === undefined) return null;
    if (length === 0) return { parts, end: at + 1 };
    if (at + 1 + length > bytes.length) return null;
    parts.push(bytes.subarray(at + 1, at + 1 + length));
    at += 1 + length;
  }
}

function hasPixels(data: Buffer, codeBits: number, wanted: number): boolean {
  if (codeBits < 1 || codeBits > 11 || wanted === 0) return false;
  const unpacking = new Unpacking(codeBits);
  let [held, heldBits] = [0, 0];
  for (const byte of data) {
    held |= byte << heldBits;
    heldBits += 8;
    for (let { size } = unpacking; heldBits >= size; { size } = unpacking) {
      if (!unpacking.take(held & (2 ** size - 1))) return false;
      if (unpacking.pixels >= wanted) return true;
      held >>>= size;
      heldBits -= size;
    }
  }
  return false;
}

/** Unpacks LZW codes, but keeps only how many pixels each stands for. */
class Unpacking {
  pixels = 0;
  /** Bits of the next code. */
  size: number;
  readonly #codeBits: number;
  readonly #lengths: Uint32Array;
  #count: number;
  #previous = -1;

  constructor(codeBits: number) {
    this.#codeBits = codeBits;
    this.#lengths = new Uint32Array(MOST_CODES).fill(1, 0, 2 ** codeBits);
    this.#count = 2 ** codeBits + 2;
    this.size = codeBits + 1;
  }

  /** False for the code that ends the data, and for one that has no meaning here. */
  take(code: number): boolean {
    const clear = 2 ** this.#codeBits;
    if (code === clear) {
      [this.#count, this.size, this.#previous] = [clear + 2, this.#codeBits + 1, -1];
      return true;
    }
    const isFirst = this.#previous === -1;
    if (code === clear + 1 || code > this.#count || (code === this.#count && isFirst)) return false;
    if (!isFirst && this.#count < MOST_CODES) {
      this.#lengths[this.#count] = (this.#lengths[this.#previous] ?? 0) + 1;
      this.#count += 1;
    }
    if (this.#count === 2 ** this.size && this.size < 12) this.size += 1;
    this.pixels += this.#lengths[code] ?? 0;
    this.#previous = code;
    return true;
  }
}
