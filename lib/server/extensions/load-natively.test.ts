import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { nativeImport } from "@/lib/testing/processes/native-import";
import { createExtensionLoader } from "./load-natively";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), "ringmaster-extensions-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(directory, file)), { recursive: true });
  writeFileSync(path.join(directory, file), text);
}

const loader = () => createExtensionLoader(directory, nativeImport);

const hook = (name: string, description = "") =>
  `import { defineHook } from "ringmaster";\nexport default defineHook({ name: "${name}", description: "${description}", create: () => ({}) });\n`;

test("files, folders with an index.ts and lists are loaded, tests and other files are not", async () => {
  write("one.ts", hook("one"));
  write("one.test.ts", "throw new Error('a test');");
  write("two/index.ts", hook("two"));
  write("notes/readme.md", "No extension.");
  write("list.ts", `import a from "./one.ts";\nimport b from "./two/index.ts";\nexport default [a, b];`);
  const loaded = await loader()();
  expect(loaded.map(({ file, definitions, error }) => [file, definitions.map(({ name }) => name), error])).toEqual([
    ["list.ts", ["one", "two"], null],
    ["one.ts", ["one"], null],
    ["two/index.ts", ["two"], null],
  ]);
});

test("a folder that does not exist has no extensions", async () => {
  rmSync(directory, { recursive: true });
  expect(await loader()()).toEqual([]);
});

test.each<[string, string, number | null, string]>([
  ["a syntax error", "const a = 1;\n\nexport default { a,, };\n", 3, "Unexpected token `,`"],
  ["syntax that is not only types", "enum Color { red }\nexport default Color;\n", 1, "enum is not supported"],
  ["a throw", "export default 1;\nthrow new Error('no key');\n", 2, "no key"],
  [
    "a bad definition",
    'import { defineHook } from "ringmaster";\n\nexport default defineHook({ name: "no good", create: () => ({}) });',
    3,
    'name must be 1 to 64 letters, digits, - or _ and begin with a letter; it is "no good".',
  ],
  [
    "an import that leads nowhere",
    'const a = 1;\nimport b from "./b.ts";\nexport default b;',
    2,
    'Cannot find "./b.ts".',
  ],
  [
    "a package that is not there",
    'import b from "no-such-package";\nexport default b;',
    1,
    'Cannot find "no-such-package".',
  ],
  [
    "no default export",
    "export const a = 1;",
    null,
    "The default export must be what defineHook, defineTool or definePromptSection returns",
  ],
  [
    "something else as default export",
    'export default { name: "a", create() {} };',
    null,
    "The default export must be what defineHook",
  ],
])("%s is listed with its line, and the rest works", async (_, text, line, message) => {
  write("bad.ts", text);
  write("good.ts", hook("good"));
  const [bad, good] = await loader()();
  expect(bad?.definitions).toEqual([]);
  expect(bad?.error?.line).toBe(line);
  expect(bad?.error?.message).toContain(message);
  expect(good).toMatchObject({ error: null, definitions: [{ name: "good" }] });
});

test("a problem in a file that an extension imports names that file", async () => {
  write("big/index.ts", 'import { a } from "./part.ts";\nexport default a;');
  write("big/part.ts", "export const a = 1;\n\nthrow new Error('broken');");
  const [big] = await loader()();
  expect(big?.error).toEqual({ message: "part.ts: broken", line: 3 });
});

test("loading again gives the same modules while nothing has changed, and new ones of what has", async () => {
  write("one.ts", hook("one"));
  write("two.ts", hook("two", "before"));
  const load = loader();
  const [one, two] = await load();
  write("two.ts", hook("two", "after"));
  const [oneAgain, twoAgain] = await load();
  expect(oneAgain?.definitions[0]).toBe(one?.definitions[0]);
  expect(oneAgain?.hash).toBe(one?.hash);
  expect(twoAgain?.definitions[0]).toMatchObject({ description: "after" });
  expect(twoAgain?.hash).not.toBe(two?.hash);
});

test("a change of an imported file is a change of the extension", async () => {
  write(
    "one.ts",
    'import { text } from "./words/text.ts";\nimport { defineHook } from "ringmaster";\nexport default defineHook({ name: "one", description: text, create: () => ({}) });',
  );
  write("words/text.ts", 'export const text = "before";');
  const load = loader();
  const [one] = await load();
  write("words/text.ts", 'export const text = "after";');
  const [again] = await load();
  expect(again?.definitions[0]).toMatchObject({ description: "after" });
  expect(again?.hash).not.toBe(one?.hash);
});

test("a file that was fixed loads, and one that was removed is gone", async () => {
  write("one.ts", "export default 1;");
  write("two.ts", hook("two"));
  const load = loader();
  expect((await load()).map(({ error }) => error === null)).toEqual([false, true]);
  write("one.ts", hook("one"));
  rmSync(path.join(directory, "two.ts"));
  expect((await load()).map(({ file, error }) => [file, error])).toEqual([["one.ts", null]]);
});

test("an extension that failed because of the world around it is tried again", async () => {
  write(
    "one.ts",
    `import { existsSync } from "node:fs";\nif (!existsSync(${JSON.stringify(path.join(directory, "key"))})) throw new Error("no key");\n${hook("one")}`,
  );
  const load = loader();
  const [first] = await load();
  write("key", "");
  const [second] = await load();
  expect(first?.error?.message).toBe("no key");
  expect(second?.error).toBeNull();
});

test("what an extension imports as ringmaster is what its test imports", async () => {
  write("one.ts", hook("one"));
  await loader()();
  write(
    "main.mjs",
    `import { runHook } from "ringmaster/testing";\nimport hook from "./one.ts";\nexport const run = await runHook(hook, { model: ["Hi."] });`,
  );
  const { run } = (await nativeImport(pathToFileURL(path.join(directory, "main.mjs")).href)) as {
    run: { response: string };
  };
  expect(run.response).toBe("Hi.");
});
