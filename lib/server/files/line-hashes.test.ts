import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { lineHashes } from "./line-hashes";

const of = (text: string) => lineHashes(new TextEncoder().encode(text));
const hashOf = (line: string) => createHash("sha256").update(line).digest("hex").slice(0, 16);

test("each line has its hash in order, whatever its line break", () => {
  expect(of("one\ntwo\n")).toBe(hashOf("one") + hashOf("two"));
  expect(of("one\r\ntwo")).toBe(of("one\ntwo\n"));
  expect(of("one\n\ntwo")).toBe(hashOf("one") + hashOf("") + hashOf("two"));
});

test("an empty document has no lines, and what is not text has no hashes", () => {
  expect(of("")).toBe("");
  expect(lineHashes(new Uint8Array([0xff, 0xfe, 0x00]))).toBeNull();
});
