import { expect, test } from "vitest";
import { makePng } from "@/lib/testing/files/make-png";
import { describeImage, imageInfo } from "./image-file";

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(" ", ""), "hex"));
const GIF = bytes("474946383961 4001 f000 000000");
const JPEG = bytes("ffd8 ffe0 0004 0000 ffc0 0011 08 00f0 0140 03 01");
const WEBP = bytes("52494646 00000000 57454250 56503858 0a000000 00000000 3f0100 ef0000");

test.each([
  ["PNG", makePng(320, 240), { mediaType: "image/png", width: 320, height: 240 }],
  ["GIF", GIF, { mediaType: "image/gif", width: 320, height: 240 }],
  ["JPEG", JPEG, { mediaType: "image/jpeg", width: 320, height: 240 }],
  ["WebP", WEBP, { mediaType: "image/webp", width: 320, height: 240 }],
])("a %s is known by its bytes, with its size in pixels", (_, file, facts) => {
  expect(imageInfo(file)).toEqual(facts);
});

test("what is no picture is none, however short it is or what it is called", () => {
  for (const text of ["", "G", "GIF8", "RIFF", "<svg></svg>", "%PDF-1.7\n%%EOF", "\u00ff\u00d8"]) {
    expect(imageInfo(Buffer.from(text, "latin1"))).toBeNull();
  }
});

test("a picture is described by type, pixels and size", () => {
  expect(describeImage({ mediaType: "image/jpeg", width: 640, height: 480, sizeBytes: 12_345 })).toBe(
    "JPEG, 640 × 480 pixels, 12 KB",
  );
  expect(describeImage({ mediaType: "image/webp", sizeBytes: 12 })).toBe("WEBP, 12 B");
});
