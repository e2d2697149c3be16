// ringmaster new extension <name> [tool]: a working hook (or tool) with its test, in the data directory's extensions folder.
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { makeFolder } from "@/lib/server/platform/make-folder";
import { isRelease } from "../installation";
import { projectDirectory } from "../project-directory";
import { Refused } from "../refused";

const NAME = /^[a-z][a-z0-9-]{0,63}$/;
type NewKind = "hook" | "tool";

/** Writes the extension; returns the new files, relative to the extensions folder. */
export function writeExtension(extensions: string, name: string, kind: NewKind): string[] {
  if (!NAME.test(name))
    throw new Refused(`${JSON.stringify(name)} is not a valid extension name. One looks like no-friday.`);
  const folder = path.join(extensions, name);
  for (const taken of [folder, `${folder}.ts`]) {
    if (existsSync(taken)) throw new Refused(`${taken} already exists. Choose another name.`);
  }
  makeFolder(folder, 0o700);
  const files = kind === "hook" ? hookFiles(name) : toolFiles(name);
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text);
  // Written each time, because the project may have moved.
  writeFileSync(path.join(extensions, "tsconfig.json"), `${JSON.stringify(editorConfig(), null, 2)}\n`);
  return Object.keys(files).map((file) => `${name}/${file}`);
}

/** What to do next with an extension just written, for a person. */
export function describeNext(extensions: string, name: string, kind: NewKind): string[] {
  const test = isRelease
    ? `npm run test:extensions ${path.join(extensions, name)}, in a clone`
    : `npm run test:extensions ${name}`;
  const load = isRelease
    ? "Reload at /admin/tools?tab=extensions"
    : "npm run extensions:reload, or Reload at /admin/tools?tab=extensions";
  const use = kind === "tool" ? `tools: [${name.replaceAll("-", "_")}]` : `hooks: […, ${name}]`;
  return [`Test it:              ${test}`, `Load it:              ${load}`, `Name it in an agent:  ${use}`];
}

/** It makes an editor resolve "ringmaster", and mark what Node can't run. */
function editorConfig() {
  const inProject = (place: string) => path.join(projectDirectory, place);
  // A release has the built modules, from whose code an editor guesses the types.
  const sdk = (module: string) => [inProject(`lib/sdk/${module}.${isRelease ? "js" : "ts"}`)];
  return {
    compilerOptions: {
      target: "ES2024",
      lib: ["ES2024"],
      module: "esnext",
      moduleResolution: "bundler",
      strict: true,
      noUncheckedIndexedAccess: true,
      erasableSyntaxOnly: true,
      verbatimModuleSyntax: true,
      allowImportingTsExtensions: true,
      allowJs: isRelease,
      skipLibCheck: true,
      noEmit: true,
      ...(isRelease ? { types: [] } : { types: ["node"], typeRoots: [inProject("node_modules/@types")] }),
      paths: {
        ringmaster: sdk("ringmaster"),
        "ringmaster/testing": sdk("testing"),
        ...(isRelease ? {} : { "@/*": [inProject("*")] }),
      },
    },
    include: ["**/*.ts"],
  };
}

function hookFiles(name: string) {
  const local = name.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return {
    "index.ts": `import { defineHook, deny, guardHook, proceed, z } from "ringmaster";

export default defineHook({
  name: "${name}",
  description: "Refuses tool calls whose arguments hold one of the words.",
  config: z.object({ words: z.array(z.string()).default(["production"]) }),
  create: ({ words }) =>
    guardHook({
      preToolUse({ call }) {
        const text = JSON.stringify(call.args);
        const word = words.find((it) => text.includes(it));
        return word === undefined ? proceed() : deny(\`Calls about \${word} are not allowed. Ask the user to do it.\`);
      },
    }),
});
`,
    "index.test.ts": `import assert from "node:assert/strict";
import { test } from "node:test";
import { call, runHook } from "ringmaster/testing";
import ${local} from "./index.ts";

const tools = { execute: "done" };

test("a call about production is refused", async () => {
  const run = await runHook(${local}, { model: [call("execute", { command: "deploy production" }), "Ok."], tools });
  assert.equal(run.results[0]?.error, "Calls about production are not allowed. Ask the user to do it.");
});

test("other calls run", async () => {
  const run = await runHook(${local}, { model: [call("execute", { command: "ls" }), "Ok."], tools });
  assert.equal(run.results[0]?.output, "done");
});
`,
  };
}

function toolFiles(name: string) {
  const tool = name.replaceAll("-", "_");
  return {
    "index.ts": `import { defineTool, z } from "ringmaster";

export default defineTool({
  name: "${tool}",
  description: "Counts the words of a text.",
  input: z.object({ text: z.string() }),
  annotations: { readOnly: true },
  execute({ text }) {
    const words = text.split(/\\s+/).filter((word) => word !== "");
    return \`\${words.length} words\`;
  },
});
`,
    "index.test.ts": `import assert from "node:assert/strict";
import { test } from "node:test";
import { runTool } from "ringmaster/testing";
import tool from "./index.ts";

test("words are counted", async () => {
  const result = await runTool(tool, { text: "one two  three" });
  assert.equal(result.output, "3 words");
});
`,
  };
}
