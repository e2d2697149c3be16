const IMAGE = 0x2c;
const EXTENSION = 0x21;
const TRAILER = 0x3b;
const MOST_CODES = 4_096;

/** Whether all frames are there and the first one has all its pixels. */
export function isSoundGif(bytes: Buffer): boolean {
  if (bytes.length < 13) return false;
  let at = 13 + colourBytes(bytes[10] ?? 0);
  for (let frames = 0; ; ) {
    const kind = bytes[at];
    // Some writers leave the trailer out.
    if (kind === TRAILER || kind === undefined) return frames > 0 && at <= bytes.length;
    if (kind !== IMAGE && kind !== EXTENSION) return frames > 0;
    const start = kind === IMAGE ? dataOfFrame(bytes, at) : at + 2;
    const blocks = readBlocks(bytes, kind === IMAGE ? start + 1 : start);
    if (blocks === null) return false;
    if (kind === IMAGE) {
      frames += 1;
      const pixels = bytes.readUInt16LE(at + 5) * bytes.readUInt16LE(at + 7);
      if (frames === 1 && !hasPixels(Buffer.concat(blocks.parts), bytes[start] ?? 0, pixels)) return false;
    }
    at = blocks.end;
  }
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

/** Unpacks LZW codes, but keeps only how many pixels each stands for. */
function hasPixels(data: Buffer, codeBits: number, wanted: number): boolean {
  if (codeBits < 1 || codeBits > 11 || wanted === 0) return false;
  const clear = 2 ** codeBits;
  const lengths = new Uint32Array(MOST_CODES).fill(1, 0, clear);
  let [count, size, previous, pixels] = [clear + 2, codeBits + 1, -1, 0];
  let [held, heldBits] = [0, 0];
  for (const byte of data) {
    held |= byte << heldBits;
    heldBits += 8;
    while (heldBits >= size) {
      const code = held & (2 ** size - 1);
      held >>>= size;
      heldBits -= size;
      if (code === clear + 1) return pixels >= wanted;
      if (code === clear) {
        [count, size, previous] = [clear + 2, codeBits + 1, -1];
        continue;
      }
      if (code > count || (code === count && previous === -1)) return false;
      if (previous !== -1 && count < MOST_CODES) lengths[count++] = (lengths[previous] ?? 0) + 1;
      if (count === 2 ** size && size < 12) size += 1;
      pixels += lengths[code] ?? 0;
      if (pixels >= wanted) return true;
      previous = code;
    }
  }
  return false;
}
