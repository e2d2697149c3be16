import { expect, test } from "vitest";
import { SKILL_LIMITS } from "@/lib/schema/skills/skill";
import { type ZipEntry, zipFile } from "@/lib/testing/files/zip-file";
import { readZip } from "./read-zip";

const read = (...entries: ZipEntry[]) => readZip(zipFile(entries));

test("the files of an archive come with their bytes, folders are left out", async () => {
  const files = await read({ path: "a/", mode: 0o040755 }, { path: "a/ü.txt", content: "hallo" }, { path: "b" });
  expect(files.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)])).toEqual([
    ["a/ü.txt", "hallo"],
    ["b", ""],
  ]);
});

test.each([
  ["a link", { path: "evil", content: "/etc/passwd", mode: 0o120777 }, "evil is a link"],
  ["a device", { path: "evil", mode: 0o020666 }, "evil is not a regular file"],
  ["an encrypted file", { path: "evil", flags: 1 }, "evil is encrypted"],
  ["a path that leads out", { path: "../evil" }, "../evil"],
  ["an absolute path", { path: "/evil" }, "/evil"],
  ["a Windows path", { path: "..\\evil" }, "..\\evil"],
  ["a damaged file", { path: "evil", content: "x", claimedCrc: 1 }, "evil is damaged"],
  ["a size that is more than it says", { path: "evil", content: "xxxx", claimedBytes: 2 }, "too many bytes"],
  ["a size that is less than it says", { path: "evil", content: "x", claimedBytes: 2 }, "not enough bytes"],
  ["a file over the limit", { path: "evil", claimedBytes: SKILL_LIMITS.fileBytes + 1 }, "evil is larger than 10 MB"],
])("%s is refused by name", async (_, entry, reason) => {
  await expect(read(entry)).rejects.toThrow(reason);
});

test("a zip bomb of small entries ends at the total limit", async () => {
  const zeros = new Uint8Array(SKILL_LIMITS.fileBytes);
  const bomb = Array.from({ length: 3 }, (_, at) => ({ path: `f${at}`, content: zeros }));
  await expect(readZip(zipFile(bomb))).rejects.toThrow("larger than 25 MB together");
});

test("an archive of too many entries is refused before they are read", async () => {
  const entries = Array.from({ length: 2_001 }, (_, at) => ({ path: `d${at}/` }));
  await expect(readZip(zipFile(entries))).rejects.toThrow("it has 2001 entries");
});

test.each([[new Uint8Array()], [new TextEncoder().encode("no zip at all, just some text")], [zipFile([]).slice(4)]])(
  "what is not an archive is refused",
  async (bytes) => {
    await expect(readZip(bytes)).rejects.toThrow("not a zip archive");
  },
);
