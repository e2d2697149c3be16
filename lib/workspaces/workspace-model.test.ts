import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import type { Workspace } from "@/lib/agent/workspace/workspace";
import { refusal } from "@/lib/testing/contracts/contract-tools";
import { createMemoryFileStore } from "@/lib/testing/files/memory-file-store";
import { requireMachine } from "@/lib/testing/setup/require-machine";
import { createLocalWorkspace } from "./local/local-workspace";
import { parentPaths } from "./paths";
import { createStateWorkspace } from "./state-workspace";

const base = mkdtempSync(join(tmpdir(), "ringmaster-model-"));
const noSandbox = { available: false, reason: null, remedy: null, mode: null, ripgrep: false };

afterAll(() => rmSync(base, { recursive: true, force: true }));

/** Few names, so that paths collide: files in place of folders and folders in place of files. */
const path = fc
  .array(fc.constantFrom("a", "b", "c.txt", "-rf", "ü 1"), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join("/"));
const action = fc.oneof(
  fc.record({ kind: fc.constant("write" as const), path, text: fc.string({ unit: "grapheme", maxLength: 30 }) }),
  fc.record({ kind: fc.constant("remove" as const), path }),
  fc.record({ kind: fc.constant("read" as const), path }),
);
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * The reference model: a plain map. `folders` are those that persist when empty; null if folders are only implied by
 * files.
 */
interface Model {
  readonly files: Map<string, string>;
  readonly folders: Set<string> | null;
}

const isBelow = (name: string) => (other: string) => other.startsWith(`${name}/`);

function isFolder({ files, folders }: Model, name: string): boolean {
  return (folders?.has(name) ?? false) || [...files.keys()].some(isBelow(name));
}

function isEmptyFolder({ files, folders }: Model, name: string): boolean {
  return (folders?.has(name) ?? false) && ![...files.keys(), ...(folders ?? [])].some(isBelow(name));
}

/** The action's result according to the model. */
function expected(model: Model, { kind, path: name }: Action): string {
  if (kind === "write") return expectedWrite(model, name);
  if (model.files.has(name)) return "accepted";
  if (kind === "remove" && isEmptyFolder(model, name)) return "accepted";
  if (isFolder(model, name)) return kind === "read" ? "not_a_file" : "failed";
  return "missing";
}

function expectedWrite(model: Model, name: string): string {
  if (isFolder(model, name)) return "not_a_file";
  return parentPaths(name).some((parent) => model.files.has(parent)) ? "not_a_folder" : "accepted";
}

function apply({ files, folders }: Model, each: Action): void {
  if (each.kind === "remove") {
    files.delete(each.path);
    folders?.delete(each.path);
  }
  if (each.kind !== "write") return;
  files.set(each.path, each.text);
  for (const parent of parentPaths(each.path)) folders?.add(parent);
}

async function perform(workspace: Workspace, { kind, path: name, ...rest }: Action): Promise<unknown> {
  if (kind === "write" && "text" in rest) return refusal(workspace.write(name, Buffer.from(rest.text)));
  return refusal(kind === "read" ? workspace.read(name, 100) : workspace.remove(name));
}

/** Both errors mean missing, whether the name does not exist or a file is in a folder's place. */
function sameRefusal(code: unknown, { kind }: Action): unknown {
  return code === "not_found" || (code === "not_a_folder" && kind !== "write") ? "missing" : code;
}

async function snapshot(workspace: Workspace): Promise<Map<string, string>> {
  const { files } = await workspace.glob("**", "", 1_000);
  const texts = files.map(async (file) => Buffer.from((await workspace.read(file, 1_000)).bytes).toString());
  return new Map((await Promise.all(texts)).map((text, index) => [files[index] ?? "", text]));
}

async function behavesLike(model: Model, workspace: Workspace, actions: readonly Action[]): Promise<void> {
  for (const each of actions) {
    const wanted = expected(model, each);
    expect([each, sameRefusal(await perform(workspace, each), each)]).toEqual([each, wanted]);
    if (wanted === "accepted") apply(model, each);
  }
  expect(await snapshot(workspace)).toEqual(new Map([...model.files].sort()));
}

test("a state workspace behaves like a map of paths", async () => {
  const property = fc.asyncProperty(fc.array(action, { maxLength: 40 }), (actions) => {
    const workspace = createStateWorkspace(createMemoryFileStore());
    return behavesLike({ files: new Map(), folders: null }, workspace, actions);
  });
  await fc.assert(property, { numRuns: 300 });
});

test.skipIf(!requireMachine("linux"))("a local workspace behaves like a map of paths and folders", async () => {
  const property = fc.asyncProperty(fc.array(action, { maxLength: 30 }), (actions) => {
    const workspace = createLocalWorkspace({ root: mkdtempSync(join(base, "w")), sandbox: noSandbox });
    return behavesLike({ files: new Map(), folders: new Set() }, workspace, actions);
  });
  await fc.assert(property, { numRuns: 80 });
});
