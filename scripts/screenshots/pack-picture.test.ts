import { readFileSync } from "node:fs";
import path from "node:path";
import { deflateSync, inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { projectDirectory } from "../project-directory";
import { packPicture } from "./pack-picture";

/** Of a PNG with one IDAT. */
function rowsOf(png: Buffer): Buffer {
  const at = png.indexOf("IDAT");
  return inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
}

test("a picture is packed once: packing it again changes nothing, and its rows have no filter", () => {
  const packed = packPicture(readFileSync(path.join(projectDirectory, "docs/pictures/boards.png")));
  expect(packPicture(packed).equals(packed)).toBe(true);
  const rowBytes = packed.readUInt32BE(16) * (packed[25] === 6 ? 4 : 3);
  const rows = rowsOf(packed);
  const filters = Array.from({ length: packed.readUInt32BE(20) }, (_, row) => rows[row * (rowBytes + 1)]);
  expect(new Set(filters)).toEqual(new Set([0]));
});

test("every kind of filter gives the pixels that it stands for", () => {
  // 2 × 5 pixels of three samples: the first row as it is, then each row by another filter.
  const pixels = [10, 20, 30, 40, 60, 80];
  const rows = [
    [0, ...pixels],
    [1, 10, 20, 30, 30, 40, 50],
    [2, 0, 0, 0, 0, 0, 0],
    [3, 5, 10, 15, 15, 20, 25],
    [4, 0, 0, 0, 0, 0, 0],
  ];
  const packed = packPicture(pngOf(rows, 2));
  expect([...rowsOf(packed)]).toEqual(rows.flatMap(() => [0, ...pixels]));
});

function pngOf(rows: readonly (readonly number[])[], width: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(rows.length, 4);
  header.set([8, 2], 8);
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
  };
  return Buffer.concat([
    Buffer.alloc(8),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.from(rows.flat()))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
