import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createExtensionLoader } from "@/lib/server/extensions/load-natively";
import { nativeImport } from "@/lib/testing/processes/native-import";
import { writeExtension } from "./new-extension";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), "ringmaster-new-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const run = (script: string, ...values: string[]) => runProgram(`extensions/${script}`, values);
const newExtension = (...values: string[]) => runProgram("ringmaster/ringmaster", ["new", "extension", ...values]);

function runProgram(file: string, values: readonly string[]) {
  const env = { ...process.env, RINGMASTER_DATA_DIR: directory, RINGMASTER_NO_DOTENV: "1" };
  const program = ["--import", "./scripts/resolve-imports.ts", `scripts/${file}.ts`, ...values];
  return spawnSync(process.execPath, program, { encoding: "utf8", env });
}

test.each(["hook", "tool"] as const)(
  "a new %s loads, its types fit, and its test runs by the printed command",
  async (kind) => {
    const made = newExtension("my-first", ...(kind === "tool" ? ["tool"] : []));
    expect(made.stdout).toContain("npm run test:extensions my-first");
    const extensions = path.join(directory, "extensions");
    const [loaded] = await createExtensionLoader(extensions, nativeImport)();
    expect(loaded).toMatchObject({ file: "my-first/index.ts", error: null, definitions: [{ kind }] });

    const tested = run("run-extension-tests", "my-first");
    expect([tested.status, tested.stdout]).toEqual([0, expect.stringMatching(/fail 0/)]);

    const compiler = path.resolve("node_modules/typescript/bin/tsc");
    const checked = spawnSync(process.execPath, [compiler, "-p", extensions], { encoding: "utf8" });
    expect(checked.stdout).toBe("");
  },
);

test("existing files are not overwritten, and invalid names are refused", () => {
  writeExtension(directory, "mine", "hook");
  expect(() => writeExtension(directory, "mine", "tool")).toThrow("already exists. Choose another name.");
  expect(() => writeExtension(directory, "../out", "hook")).toThrow("is not a valid extension name");
  const invalid = newExtension("../out");
  expect([invalid.status, invalid.stderr]).toEqual([
    1,
    expect.stringMatching(/^Nothing was written: .+no-friday\.\n$/),
  ]);
});

test("a folder without tests says how to make one", () => {
  const { status, stderr } = run("run-extension-tests");
  expect([status, stderr]).toEqual([1, expect.stringContaining("npm run new:extension <name>")]);
});

test("the examples load and their tests pass", async () => {
  const examples = path.resolve("examples/extensions");
  const loaded = await createExtensionLoader(examples, nativeImport)();
  expect(loaded.map(({ file, error }) => [file, error])).toEqual(
    readdirSync(examples)
      .toSorted()
      .map((name) => [`${name}/index.ts`, null]),
  );
  expect(loaded).toHaveLength(5);
  const { status, stdout } = run("run-extension-tests", examples);
  expect([status, stdout]).toEqual([0, expect.stringMatching(/fail 0/)]);
});

test.each(["first-hook", "first-tool"])("the guide %s shows the examples as they are", (guide) => {
  const text = readFileSync(`docs/guide/${guide}.md`, "utf8");
  const shown = [...text.matchAll(/^```ts\n(.*?)\n```$/gms)].map(([, code = ""]) => `${code}\n`);
  const shipped = globSync("examples/extensions/*/*.ts").map((file) => readFileSync(file, "utf8"));
  expect(shown.length).toBeGreaterThan(1);
  for (const code of shown) expect(shipped).toContain(code);
});

test("reloading without a key or a server says what to do", () => {
  expect(run("reload-extensions").stderr).toContain("set RINGMASTER_API_KEY to the key of an administrator");
  const env = { ...process.env, RINGMASTER_DATA_DIR: directory, RINGMASTER_NO_DOTENV: "1", PORT: "9" };
  const program = ["--import", "./scripts/resolve-imports.ts", "scripts/extensions/reload-extensions.ts"];
  const { stderr } = spawnSync(process.execPath, program, {
    encoding: "utf8",
    env: { ...env, RINGMASTER_API_KEY: "k" },
  });
  expect(stderr).toContain("no server answers at http://127.0.0.1:9. Start it with npm start.");
});
