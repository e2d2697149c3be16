import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { readTar, TAR_END, tarHeader, tarPadding } from "./tar";

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "ringmaster-tar-"));
  folders.push(folder);
  return folder;
}

/** The bytes in pieces of this size. */
async function* cut(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
}

async function readAll(archive: Buffer, pieceBytes = 1_000) {
  const found: { path: string; kind: string; mode: number; target: string; text: string }[] = [];
  for await (const { path, kind, mode, target, content } of readTar(cut(archive, pieceBytes))) {
    const parts: Buffer[] = [];
    for await (const part of content) parts.push(part);
    found.push({ path, kind, mode, target, text: Buffer.concat(parts).toString() });
  }
  return found;
}

const LONG = `${"folder/".repeat(30)}${"näme".repeat(20)}`;

describe("an archive", () => {
  test("that is written here is unpacked by tar, with long names, links and permissions", () => {
    const folder = temporaryFolder();
    const file = (path: string, mode: number) => {
      const content = Buffer.from(`of ${path}`);
      const header = tarHeader({ path, kind: "file", mode, sizeBytes: content.byteLength, target: "" });
      return [header, content, tarPadding(content.byteLength)];
    };
    const parents = LONG.split("/")
      .slice(0, -1)
      .map((_, at, names) => names.slice(0, at + 1).join("/"));
    const archive = Buffer.concat([
      ...file("./plain", 0o755),
      ...parents.map((path) => tarHeader({ path, kind: "folder", mode: 0o755, sizeBytes: 0, target: "" })),
      ...file(LONG, 0o600),
      tarHeader({ path: "link", kind: "link", mode: 0o777, sizeBytes: 0, target: LONG }),
      TAR_END,
    ]);
    expect(spawnSync("tar", ["-xpf", "-"], { cwd: folder, input: archive }).stderr.toString()).toBe("");
    expect(readFileSync(join(folder, "link"), "utf8")).toBe(`of ${LONG}`);
    expect(statSync(join(folder, "plain")).mode & 0o777).toBe(0o755);
  });

  test.each(["gnu", "posix", "ustar"])("in the format %s of tar is read, however it is cut", async (format) => {
    const folder = temporaryFolder();
    const long = format === "ustar" ? `${"f/".repeat(60)}file` : LONG;
    mkdirSync(join(folder, long, ".."), { recursive: true });
    writeFileSync(join(folder, long), "long");
    writeFileSync(join(folder, "a"), "x".repeat(1_500), { mode: 0o640 });
    symlinkSync("a", join(folder, "link"));
    spawnSync("sh", ["-c", "ln a hard; mkfifo pipe"], { cwd: folder });
    const names = ["a", "hard", "link", "pipe", long];
    const { stdout } = spawnSync("tar", ["-c", `--format=${format}`, ...names], { cwd: folder });
    for (const pieceBytes of [1, 511, 513, 100_000]) {
      expect(await readAll(stdout, pieceBytes)).toEqual([
        { path: "a", kind: "file", mode: 0o640, target: "", text: "x".repeat(1_500) },
        { path: "hard", kind: "hard link", mode: 0o640, target: "a", text: "" },
        { path: "link", kind: "link", mode: 0o777, target: "a", text: "" },
        expect.objectContaining({ path: "pipe", kind: "other" }),
        { path: long, kind: "file", mode: expect.any(Number), target: "", text: "long" },
      ]);
    }
  });

  test.each([
    ["ends early", (archive: Buffer) => archive.subarray(0, 700), "ended early"],
    ["ends without its end", (archive: Buffer) => archive.subarray(0, 1_024), "ended early"],
    ["is damaged", (archive: Buffer) => Buffer.concat([Buffer.from("y"), archive.subarray(1)]), "damaged"],
  ])("that %s is refused", async (_, spoil, message) => {
    const header = tarHeader({ path: "x", kind: "file", mode: 0o644, sizeBytes: 512, target: "" });
    const archive = Buffer.concat([header, Buffer.alloc(512), TAR_END]);
    await expect(readAll(spoil(archive))).rejects.toThrow(message);
  });
});
