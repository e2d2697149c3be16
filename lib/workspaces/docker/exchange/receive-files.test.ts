import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLocalRoot } from "@/lib/workspaces/local/local-root";
import { lookAtTree } from "./local-tree";
import { receiveFiles, removeGone } from "./receive-files";
import type { RemoteEntry } from "./remote-tree";
import { TAR_END, tarHeader, tarPadding } from "./tar";

let base = "";
let folder = "";
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "ringmaster-receive-"));
  folder = join(base, "workspace");
  mkdirSync(folder);
  writeFileSync(join(base, "secret"), "TOPSECRET");
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const ANY: RemoteEntry = { kind: "file", sizeBytes: 100, signature: "" };

function file(path: string, text: string): Buffer {
  const header = tarHeader({ path, kind: "file", mode: 0o644, sizeBytes: text.length, target: "" });
  return Buffer.concat([header, Buffer.from(text), tarPadding(text.length)]);
}

function link(path: string, target: string, type = "2"): Buffer {
  const header = tarHeader({ path, kind: "link", mode: 0o777, sizeBytes: 0, target });
  return type === "2" ? header : withType(header, type);
}

/** The same header for another kind of entry. */
function withType(header: Buffer, type: string): Buffer {
  const sum = Number.parseInt(header.toString("latin1", 148, 154), 8) - (header[156] ?? 0) + type.charCodeAt(0);
  header.write(type, 156);
  header.write(`${sum.toString(8).padStart(6, "0")}\0`, 148);
  return header;
}

async function receive(
  parts: readonly Buffer[],
  wanted: readonly string[],
  known = lookAtTree(createLocalRoot(folder, null)),
) {
  const conflicts: string[] = [];
  const local = await known;
  const receiver = {
    root: createLocalRoot(folder, null),
    local,
    wanted: new Map(wanted.map((path) => [path, ANY])),
    conflicts,
  };
  async function* archive() {
    yield Buffer.concat([...parts, TAR_END]);
  }
  await receiveFiles(receiver, archive());
  return { ...receiver };
}

test.each(["../secret", "/etc/ringmaster-test", "a/../../secret", "a//b", "./../secret", "", ".", "a\nb", "a/./b"])(
  "the name %j is not taken",
  async (path) => {
    await receive([file(path, "evil"), file("fine", "fine")], [path, "fine"]);
    expect(readFileSync(join(base, "secret"), "utf8")).toBe("TOPSECRET");
    expect(readFileSync(join(folder, "fine"), "utf8")).toBe("fine");
    expect(existsSync("/etc/ringmaster-test")).toBe(false);
  },
);

test("nothing is taken that was not asked for, nor more of it than was listed", async () => {
  await receive([file("asked", "yes"), file("unasked", "no"), file("large", "x".repeat(101))], ["asked", "large"]);
  expect(["asked", "unasked", "large"].map((name) => existsSync(join(folder, name)))).toEqual([true, false, false]);
});

test("nothing is written through a link, whether it was there or comes in the same archive", async () => {
  symlinkSync(base, join(folder, "there"));
  const through = (name: string) => receive([file(`${name}/secret`, "evil")], [`${name}/secret`]);
  await expect(through("there")).rejects.toThrow("symbolic link");
  const both = [link("comes", base), file("comes/secret", "evil")];
  await expect(receive(both, ["comes", "comes/secret"])).rejects.toThrow("symbolic link");
  expect(readFileSync(join(base, "secret"), "utf8")).toBe("TOPSECRET");
});

test("a link is taken as it is, and replaced instead of followed", async () => {
  await receive([link("out", "../secret")], ["out"]);
  expect(readlinkSync(join(folder, "out"))).toBe("../secret");
  await receive([file("out", "mine")], ["out"]);
  expect(readFileSync(join(folder, "out"), "utf8")).toBe("mine");
  expect(readFileSync(join(base, "secret"), "utf8")).toBe("TOPSECRET");
});

test("a hard link becomes a file of its own, and none leads outside", async () => {
  await receive([file("one", "text"), link("two", "one", "1")], ["one", "two"]);
  writeFileSync(join(folder, "one"), "changed");
  expect(readFileSync(join(folder, "two"), "utf8")).toBe("text");
  await receive([link("three", "../secret", "1")], ["three"]);
  expect(existsSync(join(folder, "three"))).toBe(false);
  symlinkSync("../secret", join(folder, "link"));
  await expect(receive([link("four", "link", "1")], ["four"])).rejects.toThrow();
  expect(existsSync(join(folder, "four"))).toBe(false);
});

test.each([
  ["a FIFO", "6"],
  ["a character device", "3"],
  ["a block device", "4"],
  ["an unknown kind", "Z"],
])("%s is left out", async (_, type) => {
  await receive([link("odd", "", type), file("fine", "fine")], ["odd", "fine"]);
  expect(existsSync(join(folder, "odd"))).toBe(false);
  expect(existsSync(join(folder, "fine"))).toBe(true);
});

test("what somebody else has changed meanwhile stays, and neither is lost", async () => {
  writeFileSync(join(folder, "both"), "before");
  writeFileSync(join(folder, "gone"), "before");
  const known = lookAtTree(createLocalRoot(folder, null));
  await known;
  writeFileSync(join(folder, "both"), "theirs");
  writeFileSync(join(folder, "gone"), "theirs");
  const receiver = await receive([file("both", "mine")], ["both"], known);
  await removeGone(receiver, ["gone"]);
  expect(receiver.conflicts).toEqual(["both"]);
  const texts = ["both", "both.from-command", "gone"].map((name) => readFileSync(join(folder, name), "utf8"));
  expect(texts).toEqual(["theirs", "mine", "theirs"]);
});

test("a folder that somebody else has put something into is neither removed nor replaced", async () => {
  mkdirSync(join(folder, "d"));
  const known = lookAtTree(createLocalRoot(folder, null));
  await known;
  writeFileSync(join(folder, "d", "new"), "theirs");
  await removeGone(await receive([file("d", "mine")], ["d"], known), ["d"]);
  expect(readFileSync(join(folder, "d", "new"), "utf8")).toBe("theirs");
  expect(readFileSync(join(folder, "d.from-command"), "utf8")).toBe("mine");
});
