import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import type { Workspace } from "@/lib/agent/workspace/workspace";
import { createTestWorkspace } from "@/lib/testing/files/test-workspace";
import { readZip } from "../skills/read-zip";
import { archiveFolder } from "./archive-folder";

const FILE_BYTES = 1_048_576;

async function workspaceWith(files: Record<string, Uint8Array>): Promise<Workspace> {
  const workspace = createTestWorkspace();
  for (const [path, bytes] of Object.entries(files)) await workspace.write(path, bytes);
  return workspace;
}

function archive(workspace: Workspace, folder = ""): Promise<ReadableStream<Uint8Array>> {
  return archiveFolder({ workspace, normalize: (path) => path }, folder);
}

async function unpack(stream: ReadableStream<Uint8Array>): Promise<Record<string, Uint8Array>> {
  const entries = await readZip(new Uint8Array(await new Response(stream).arrayBuffer()));
  return Object.fromEntries(entries.map(({ path, bytes }) => [path, new Uint8Array(bytes)]));
}

/** Counts the files that have been read. */
function counted(workspace: Workspace) {
  const read: string[] = [];
  const counting: Workspace = {
    ...workspace,
    read: (path, maxBytes) => {
      read.push(path);
      return workspace.read(path, maxBytes);
    },
  };
  return { read, workspace: counting };
}

const tenFiles = () =>
  workspaceWith(
    Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`${at}.bin`, new Uint8Array(randomBytes(FILE_BYTES))])),
  );

test("An archive holds every file with its path, whatever is in it", async () => {
  const files = {
    "data.bin": new Uint8Array([0, 255, 1, 254]),
    "empty.txt": new Uint8Array(),
    "notes/Grüße 日本.md": new TextEncoder().encode("# Hello\n".repeat(500)),
  };
  expect(await unpack(await archive(await workspaceWith(files)))).toEqual(files);
});

test("An archive of nothing is one", async () => {
  expect(await unpack(await archive(createTestWorkspace()))).toEqual({});
});

test("A name that would be a drive or a folder elsewhere is one name in the archive", async () => {
  const workspace = await workspaceWith({ "C:a.txt": new Uint8Array([1]), "..\\b.txt": new Uint8Array([2]) });
  expect(Object.keys(await unpack(await archive(workspace)))).toEqual([".._b.txt", "C_a.txt"]);
});

test("No more files are read than the receiver takes, and none after it has left", async () => {
  const { read, workspace } = counted(await tenFiles());
  const reader = (await archive(workspace)).getReader();
  let receivedBytes = 0;
  while (receivedBytes < 1.5 * FILE_BYTES) receivedBytes += (await reader.read()).value?.byteLength ?? 0;
  expect(read.length).toBeLessThan(5);
  await reader.cancel();
  const readBefore = read.length;
  await new Promise(setImmediate);
  expect(read.length).toBe(readBefore);
});

test("An archive breaks off when a file is gone before its turn", async () => {
  const workspace = await tenFiles();
  const stream = await archive(workspace);
  await workspace.remove("9.bin");
  await expect(new Response(stream).arrayBuffer()).rejects.toThrow("9.bin");
});

test("A file too large to be read whole is refused before anything is sent", async () => {
  const workspace: Workspace = {
    ...createTestWorkspace(),
    list: async () => [{ name: "a.bin", type: "file", size: 33 * FILE_BYTES }],
  };
  await expect(archive(workspace)).rejects.toMatchObject({ code: "payload_too_large" });
});
