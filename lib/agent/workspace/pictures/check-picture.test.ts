import { crc32, deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { makeJpeg, segment } from "@/lib/testing/files/make-jpeg";
import { makePng } from "@/lib/testing/files/make-png";
import { checkPicture, readNamedPicture } from "./check-picture";

const fromBase64 = (text: string): Buffer => Buffer.from(text, "base64");
const GIF = fromBase64("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7");
/** Two frames behind the extension for repetition. */
const ANIMATED = Buffer.concat([
  GIF.subarray(0, 19),
  Buffer.from("21ff0b4e45545343415045322e300301000000", "hex"),
  GIF.subarray(19, -1),
  GIF.subarray(19, -1),
  Buffer.from([0x3b]),
]);
const LOSSY = fromBase64("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA");
const LOSSLESS = fromBase64("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==");
const EXIF = segment(
  0xe1,
  Buffer.from("457869660000 4d4d002a00000008 0001 0112 0003 00000001 00060000 00000000".replaceAll(" ", ""), "hex"),
);
const THUMBNAIL = segment(0xe1, Buffer.concat([Buffer.from("Exif\0\0"), makeJpeg(8, 8)]));

const SOUND: readonly (readonly [string, Buffer])[] = [
  ["PNG", makePng(40, 30)],
  ["grey JPEG", makeJpeg(40, 30, { colours: 1 })],
  ["JPEG", makeJpeg(400, 300)],
  ["CMYK JPEG", makeJpeg(40, 30, { colours: 4 })],
  ["turned JPEG", makeJpeg(40, 30, { before: EXIF })],
  ["JPEG with another within", makeJpeg(40, 30, { before: THUMBNAIL })],
  ["JPEG with something after its end", Buffer.concat([makeJpeg(40, 30), Buffer.from("trailing")])],
  ["GIF", GIF],
  ["animated GIF", ANIMATED],
  ["lossy WebP", LOSSY],
  ["lossless WebP", LOSSLESS],
];

describe("a picture", () => {
  it.each(SOUND)("is sound: %s", async (_, bytes) => {
    expect(await checkPicture(bytes)).toBeNull();
  });

  it.each(SOUND)("is damaged wherever it breaks off, and where its rest is empty: %s", async (name, bytes) => {
    const whole = name.includes("after its end") ? bytes.length - 8 : bytes.length;
    // A GIF without its last byte still has all its pixels.
    const cuts = [0.2, 0.5, 0.9].map((part) => Math.floor(whole * part)).concat(name.includes("GIF") ? [] : whole - 1);
    for (const cut of cuts) {
      expect.soft(await checkPicture(bytes.subarray(0, cut)), `${cut} of ${whole}`).toBe("damaged");
    }
    if (name.includes("WebP")) return;
    const zeroed = Buffer.concat([bytes.subarray(0, Math.floor(whole / 2)), Buffer.alloc(Math.ceil(whole / 2))]);
    expect(await checkPicture(zeroed)).toBe("damaged");
  });

  it("is damaged where a byte of a PNG's pixels is another", async () => {
    const bytes = makePng(40, 30);
    bytes.writeUInt8(bytes.readUInt8(50) ^ 0xff, 50);
    expect(await checkPicture(bytes)).toBe("damaged");
  });

  it.each([
    ["nothing", Buffer.alloc(0)],
    ["a page", Buffer.from("<!doctype html><h1>404</h1>")],
    ["the beginning of a JPEG", fromBase64("/9j/4AAQSkY=")],
    ["only the end of a JPEG", Buffer.from([0xff, 0xd8, 0xff, 0xd9])],
  ])("is damaged if its file holds %s", async (_, bytes) => {
    expect(await readNamedPicture("/w/photo.JPG", bytes)).toMatchObject({
      mediaType: "image/jpeg",
      problem: "damaged",
    });
  });

  it.each([
    ["HEIC", "image/heic", "00000018667479706865696300000000"],
    ["AVIF", "image/avif", "0000001c6674797061766966 00000000".replaceAll(" ", "")],
    ["TIFF", "image/tiff", "49492a0008000000"],
  ])("of the kind %s is named as such, whatever its name is", async (_, mediaType, hex) => {
    expect(await readNamedPicture("photo", Buffer.from(hex, "hex"))).toEqual({ mediaType, problem: "unknown_kind" });
  });

  it("is read as what its bytes are, not as it is called", async () => {
    expect(await readNamedPicture("photo.png", makeJpeg(40, 30))).toEqual({
      mediaType: "image/jpeg",
      width: 40,
      height: 30,
    });
  });

  it("with more pixels than anybody looks at is not unpacked", async () => {
    const bytes = makePng(4, 4);
    bytes.writeUInt32BE(60_000, 16);
    bytes.writeUInt32BE(60_000, 20);
    expect(await checkPicture(bytes)).toBe("too_many_pixels");
  });

  it("is unpacked without keeping it", async () => {
    const before = process.memoryUsage().rss;
    expect(await checkPicture(bigPng(8_000, 8_000))).toBeNull();
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });
});

/** A black PNG that is small only as long as it is packed. */
function bigPng(width: number, height: number): Buffer {
  const small = makePng(1, 1);
  const data = Buffer.concat([Buffer.from("IDAT"), deflateSync(Buffer.alloc(height * (width * 3 + 1)))]);
  const header = small.subarray(12, 29);
  header.writeUInt32BE(width, 4);
  header.writeUInt32BE(height, 8);
  const framed = [header, data].map((chunk) => {
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(chunk.length - 4, 0);
    ends.writeUInt32BE(crc32(chunk), 4);
    return Buffer.concat([ends.subarray(0, 4), chunk, ends.subarray(4)]);
  });
  return Buffer.concat([small.subarray(0, 8), ...framed, small.subarray(-12)]);
}
