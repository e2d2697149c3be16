import { expect, test } from "vitest";
import { readZip } from "../skills/read-zip";
import { zip } from "./zip";

test("An archive holds every file with its path, whatever is in it", async () => {
  const entries = [
    { path: "notes/Grüße 日本.md", bytes: new TextEncoder().encode("# Hello\n".repeat(500)) },
    { path: "data.bin", bytes: new Uint8Array([0, 255, 1, 254]) },
    { path: "empty.txt", bytes: new Uint8Array() },
  ];
  const unpacked = await readZip(await zip(entries));
  expect(unpacked.map(({ path, bytes }) => ({ path, bytes: new Uint8Array(bytes) }))).toEqual(entries);
});

test("An archive of nothing is one", async () => {
  expect(await readZip(await zip([]))).toEqual([]);
});
