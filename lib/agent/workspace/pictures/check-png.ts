import { crc32 } from "@/lib/schema/checksum";

/** Samples per pixel by colour type. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const DEPTHS = new Set([1, 2, 4, 8, 16]);
/** First column, first row, and steps of the seven passes of an interlaced picture. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

interface Header {
  readonly width: number;
  readonly height: number;
  readonly bitsPerPixel: number;
  readonly isInterlaced: boolean;
}

/** Whether every chunk is whole and the pixels unpack completely. */
export async function isSoundPng(bytes: Buffer): Promise<boolean> {
  const found = readChunks(bytes);
  const header = found && readHeader(found.header);
  if (!found || !header) return false;
  return (await unpackedAtLeast(found.data, pixelBytes(header))) && (!found.needsPalette || found.hasPalette);
}

function readChunks(bytes: Buffer) {
  const data: Buffer[] = [];
  let header: Buffer | null = null;
  let hasPalette = false;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const end = at + 8 + length;
    if (end + 4 > bytes.length) return null;
    const type = bytes.toString("latin1", at + 4, at + 8);
    const content = bytes.subarray(at + 8, end);
    // A checksum counts only for what every decoder needs: of the rest some are wrong in pictures that all can read.
    const isNeeded = type.charAt(0) === type.charAt(0).toUpperCase();
    if (isNeeded && crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return null;
    if (type === "IHDR") header = content;
    else if (type === "PLTE") hasPalette = true;
    else if (type === "IDAT") data.push(content);
    else if (type === "IEND") return header && { header, data, hasPalette, needsPalette: header[9] === 3 };
    at = end + 4;
  }
  return null;
}

function readHeader(header: Buffer): Header | null {
  if (header.length < 13) return null;
  const [depth = 0, colour = 0, , , interlace] = header.subarray(8);
  const channels = CHANNELS[colour];
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  if (channels === undefined || !DEPTHS.has(depth) || width === 0 || height === 0) return null;
  return { width, height, bitsPerPixel: channels * depth, isInterlaced: interlace === 1 };
}

function pixelBytes({ width, height, bitsPerPixel, isInterlaced }: Header): number {
  const sizeOf = (columns: number, rows: number) =>
    columns === 0 ? 0 : rows * (1 + Math.ceil((columns * bitsPerPixel) / 8));
  if (!isInterlaced) return sizeOf(width, height);
  return PASSES.reduce(
    (sum, [x, y, dx, dy]) => sum + sizeOf(Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)),
    0,
  );
}

/** Unpacks piece by piece and keeps nothing, so that a bomb needs no memory. */
async function unpackedAtLeast(parts: readonly Buffer[], wanted: number): Promise<boolean> {
  let unpacked = 0;
  try {
    for await (const piece of new Blob(parts as unknown as BlobPart[])
      .stream()
      .pipeThrough(new DecompressionStream("deflate"))) {
      unpacked += piece.byteLength;
      if (unpacked >= wanted) return true;
    }
  } catch {
    // It broke off, or is no such stream.
  }
  return false;
}
