import { expect, test } from "vitest";
import { createSecretFinder } from "./secret-finder";

const KEY = "sk-live-0a1B2c3D4e5F6g7H8i9J";
const finder = createSecretFinder([KEY]);
const { redact } = finder;

/** Lines of 16 bytes, each with its offset. */
const dump = (text: string, line: (bytes: Buffer, offset: number) => string): string => {
  const bytes = Buffer.from(text);
  const lines = Array.from({ length: Math.ceil(bytes.length / 16) }, (_, number) =>
    line(bytes.subarray(16 * number, 16 * number + 16), 16 * number),
  );
  return `${lines.join("\n")}\n`;
};
const hexOffset = (offset: number, digits = 8) => offset.toString(16).padStart(digits, "0");
const octal = (value: number, digits: number) => value.toString(8).padStart(digits, "0");
const seen = (bytes: Buffer) => bytes.toString("latin1").replaceAll(/[^ -~]/g, ".");
const groups = (bytes: Buffer, size: number) => bytes.toString("hex").match(new RegExp(`.{1,${size}}`, "g")) ?? [];
const words = (bytes: Buffer) => Array.from({ length: bytes.length >> 1 }, (_, index) => bytes.readUInt16LE(2 * index));

const DUMPS: Readonly<Record<string, (bytes: Buffer, offset: number) => string>> = {
  xxd: (bytes, at) => `${hexOffset(at)}: ${groups(bytes, 4).join(" ").padEnd(39)}  ${seen(bytes)}`,
  "xxd -g1": (bytes, at) => `${hexOffset(at)}: ${groups(bytes, 2).join(" ").padEnd(47)}  ${seen(bytes)}`,
  "hexdump -C": (bytes, at) => `${hexOffset(at)}  ${groups(bytes, 2).join(" ").padEnd(48)}  |${seen(bytes)}|`,
  hexdump: (bytes, at) =>
    `${hexOffset(at, 7)} ${words(bytes)
      .map((word) => hexOffset(word, 4))
      .join(" ")}`,
  od: (bytes, at) =>
    `${octal(at, 7)} ${words(bytes)
      .map((word) => octal(word, 6))
      .join(" ")}`,
  "od -b": (bytes, at) => `${octal(at, 7)} ${[...bytes].map((byte) => octal(byte, 3)).join(" ")}`,
  "od -c": (bytes, at) =>
    `${octal(at, 7)} ${[...bytes].map((byte) => (byte === 10 ? "\\n" : String.fromCharCode(byte)).padStart(3)).join(" ")}`,
  "od -t x1": (bytes, at) => `${octal(at, 7)} ${groups(bytes, 2).join(" ")}`,
  "od -t x1z": (bytes, at) => `${octal(at, 7)} ${groups(bytes, 2).join(" ")}  >${seen(bytes)}<`,
};

test.each(Object.entries(DUMPS))("of a secret in what %s writes nothing is left, wherever it begins", (_, line) => {
  for (let before = 0; before < 16; before += 1) {
    // Words of two bytes need an even beginning only in what shows them; all that is behind stays.
    const text = dump(`${"u".repeat(before)}${KEY}\n${"The rest of the file. ".repeat(4)}`, line);
    const redacted = redact(text);
    expect(redacted).toContain("[redacted]");
    for (const left of ["sk-li", "2c3D", "7H8i", "32 63 33", "3263", "736b", "062 143", "c   3   D"]) {
      expect(redacted, `${before}`).not.toContain(left);
    }
    expect(redacted.split("\n")).toHaveLength(text.split("\n").length);
    expect(redacted.split("\n").slice(-5)).toEqual(text.split("\n").slice(-5));
  }
});

const inPieces = (text: string, size: number) => {
  const stream = finder.stream();
  const count = Math.ceil(text.length / size);
  const pieces = Array.from({ length: count }, (_, index) => stream.push(text.slice(index * size, (index + 1) * size)));
  return pieces.join("") + stream.end();
};

test.each(Object.entries(DUMPS))("a stream of what %s writes is as the whole, wherever it is cut", (_, line) => {
  const texts = [0, 5, 15].map(
    (before) => `See:\n${dump(`${"u".repeat(before)}${KEY}\nand more of it`, line)}and so on`,
  );
  // So many lines that the first are given out before the last come.
  const long = dump(
    `${"A line of a file without a secret in it. ".repeat(200)}${KEY}${"The rest. ".repeat(200)}${KEY}`,
    line,
  );
  for (const text of [...texts, long]) {
    for (const size of [1, 2, 7, 61, 4_000]) expect(inPieces(text, size)).toBe(redact(text));
  }
});

test("a stream with a byte a line is as the whole", () => {
  const bytes = [...Buffer.from(`${"u".repeat(300)}${KEY}${"v".repeat(300)}`)];
  const text = bytes.map((byte, at) => `${hexOffset(at)}: ${byte.toString(16)}\n`).join("");
  expect(redact(text)).toContain("[redacted]");
  expect(inPieces(text, 100)).toBe(redact(text));
});

test("a stream holds back no more of a dump than a secret may fill, and nothing of other lines", () => {
  const stream = finder.stream();
  expect(stream.push("decade by decade, ")).toBe("");
  expect(stream.push("and more\nThe next ")).toBe("decade by decade, and more\nThe next ");
  const line = `${hexOffset(0)}: ${"6e6e ".repeat(8)} nnnnnnnnnnnnnnnn\n`;
  const given = stream.push(`\n${line.repeat(1_000)}`).length;
  expect(given).toBeGreaterThan(800 * line.length);
});

test("dumps without a secret, and lines that only begin like one, stay", () => {
  const texts = [
    ...Object.values(DUMPS).map((line) => dump("Nothing to hide in here, nor in the next line of it.", line)),
    "20260101 10:00:00 the start\n20260101 10:00:01 the end\n",
    "deadbeef\n123456 \nabcdef:\n",
    `123456 ${"a ".repeat(300)}\n`,
  ];
  for (const text of texts) expect(redact(text)).toBe(text);
});
