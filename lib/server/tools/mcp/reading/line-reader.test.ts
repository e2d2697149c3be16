import { expect, test } from "vitest";
import { createLineReader } from "./line-reader";

const bytes = (text: string) => new TextEncoder().encode(text);

test("messages are read however the output is cut, and lines that are none are skipped", () => {
  const lines = createLineReader();
  const output = bytes(
    'Server ready ✓\n{"id":1,"result":{"name":"Zoë"},"error":null}\r\n[{"method":"a"},7]\n\n{"half":',
  );
  const read = [...output].flatMap((byte) => lines.read(Uint8Array.of(byte)) ?? []);
  expect(read).toEqual([
    { jsonrpc: "2.0", id: 1, result: { name: "Zoë" } },
    { jsonrpc: "2.0", method: "a" },
  ]);
});

test("a line without an end is given up", () => {
  const lines = createLineReader();
  const chunk = bytes("x".repeat(2 ** 20));
  const reads = Array.from({ length: 17 }, () => lines.read(chunk));
  expect([reads[15], reads[16]]).toEqual([[], null]);
});
