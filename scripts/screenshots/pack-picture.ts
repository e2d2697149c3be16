// A screenshot with the same pixels in fewer bytes. Browsers filter each row, which suits photos; a page of flat colours
// packs better without.
import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE_BYTES = 8;
/** Length, type and checksum stand around a chunk's data. */
const FRAME_BYTES = 12;
const SAMPLES_BY_COLOR_TYPE: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/** The PNG without row filters. Only of 8 bits a colour, with or without alpha, as browsers write them. */
export function packPicture(png: Buffer): Buffer {
  const chunks = readChunks(png);
  const [header] = chunks;
  const sampleCount = SAMPLES_BY_COLOR_TYPE[header?.data[9] ?? -1];
  if (header === undefined || sampleCount === undefined) throw new Error("The picture has no colours of 8 bits.");
  const rowBytes = header.data.readUInt32BE(0) * sampleCount;
  const image = Buffer.concat(chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data));
  const rows = unfilter(inflateSync(image), rowBytes, sampleCount);
  const packed = { type: "IDAT", data: deflateSync(rows, { level: 9, memLevel: 9 }) };
  const end = { type: "IEND", data: Buffer.alloc(0) };
  return Buffer.concat([png.subarray(0, SIGNATURE_BYTES), ...[header, packed, end].map(toBytes)]);
}

function readChunks(png: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE_BYTES; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({ type: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += FRAME_BYTES + length;
  }
  return chunks;
}

/** Each row begins with the number of its filter, which is 0 afterwards. */
function unfilter(filtered: Buffer, rowBytes: number, sampleCount: number): Buffer {
  const rows = Buffer.alloc(filtered.length);
  for (let start = 0; start < filtered.length; start += rowBytes + 1) {
    const filter = filtered[start] ?? 0;
    for (let at = start + 1; at <= start + rowBytes; at += 1) {
      const isFirst = at - start <= sampleCount;
      const above = at - rowBytes - 1;
      const left = isFirst ? 0 : (rows[at - sampleCount] ?? 0);
      const up = start === 0 ? 0 : (rows[above] ?? 0);
      const corner = isFirst || start === 0 ? 0 : (rows[above - sampleCount] ?? 0);
      rows[at] = (filtered[at] ?? 0) + predicted(filter, { left, up, corner });
    }
  }
  return rows;
}

interface Neighbours {
  readonly left: number;
  readonly up: number;
  readonly corner: number;
}

function predicted(filter: number, { left, up, corner }: Neighbours): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return Math.floor((left + up) / 2);
  return filter === 4 ? nearest({ left, up, corner }) : 0;
}

/** Paeth's choice. */
function nearest({ left, up, corner }: Neighbours): number {
  const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

function toBytes({ type, data }: Chunk): Buffer {
  const bytes = Buffer.alloc(FRAME_BYTES + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, "latin1");
  data.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}
