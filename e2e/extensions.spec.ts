import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import { startThread, whenDone } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { showYaml } from "./support/editor";
import { expect, test } from "./support/journey";

const GUARD = `import { defineHook, deny, guardHook, proceed, z } from "ringmaster";

export default defineHook({
  name: "no-word",
  config: z.object({ word: z.string() }),
  create: ({ word }) =>
    guardHook({
      preToolUse: ({ call }) => (JSON.stringify(call.args).includes(word) ? deny(\`Not about \${word}.\`) : proceed()),
    }),
});
`;
const TOOL = `import { defineTool, z } from "ringmaster";

export default defineTool({
  name: "greet",
  description: "Greets somebody.",
  input: z.object({ name: z.string() }),
  annotations: { readOnly: true },
  execute: ({ name }) => \`Hello \${name}.\`,
});
`;
const BROKEN = TOOL.replace("execute:", "execute: =");
const BROKEN_LINE = TOOL.split("\n").findIndex((line) => line.includes("execute")) + 1;

const hashOf = (page: Page, name: string) =>
  page.getByRole("row", { name: new RegExp(`^${name}`) }).getByText(/^[0-9a-f]{12}$/);

test("Files put into the extensions folder are loaded by a button, what fails shows its line, and a trace says whose code ran", async ({
  page,
  installation,
}) => {
  test.slow();
  const folder = path.join(installation.dataDirectory, "extensions");
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };
  const reload = page.getByRole("button", { name: "Reload" });
  const guardRow = page.getByRole("row", { name: /^no-word/ });
  const toolRow = page.getByRole("row", { name: /^greet/ });

  await test.step("An empty folder says how to make a first one", async () => {
    await page.goto("/admin/tools?tab=extensions");
    await expect(page.getByText("ringmaster new extension my-first")).toBeVisible();
  });

  await test.step("What was put there is loaded, and what fails is shown with file and line", async () => {
    write("no-word/index.ts", GUARD);
    write("greet.ts", BROKEN);
    await reload.click();
    await expect(guardRow).toContainText("no-word/index.ts");
    await expect(guardRow).toContainText("Hook");
    await expect(page.getByText("greet.ts could not be loaded")).toBeVisible();
    await expect(page.getByText(`Line ${BROKEN_LINE}: `)).toBeVisible();
    await expect(toolRow).toBeHidden();
  });

  await checkAccessibility(page, "/admin/tools?tab=extensions", () => expect(guardRow).toBeVisible());
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: "light" });

  await test.step("The fixed file is loaded by the button", async () => {
    write("greet.ts", TOOL);
    await reload.click();
    await expect(toolRow).toContainText("Tool");
    await expect(page.getByText("greet.ts could not be loaded")).toBeHidden();
  });

  await test.step("The editor completes the hook's name, and its settings", async () => {
    await installation.addAgent(
      "greeter",
      [{ calls: ["Bob", "Ann"].map((name) => ({ name: "greet", args: { name } })) }, { text: "Ann was greeted." }],
      { tools: ["greet"], hooks: ["tracing", { name: "no-word", config: { word: "Bob" } }] },
    );
    await page.goto("/admin/agents/greeter");
    const editor = page.getByRole("textbox", { name: "greeter.yaml, YAML" });
    await showYaml(page);
    await editor.click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText("name: greeter\nhooks:\n  - name: no-w");
    await page.keyboard.press("Control+Space");
    await expect(page.getByRole("option", { name: /^no-word/ })).toBeVisible();
    await page.keyboard.press("Escape");
    await page.keyboard.insertText("ord\n    config:\n      wo");
    await page.keyboard.press("Control+Space");
    await expect(page.getByRole("option", { name: /^word/ })).toBeVisible();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Discard" }).click();
    await expect(editor).toContainText("model: scripted:greeter");
  });

  await test.step("An agent runs with them, and its trace names file and hash", async () => {
    await page.goto("/admin/tools?tab=extensions");
    await expect(guardRow).toContainText("greeter");
    const hash = await hashOf(page, "no-word").innerText();
    await startThread(page, "greeter", "Greet them");
    const reply = await whenDone(page);
    await expect(reply).toContainText("Ann was greeted.");
    await expect(reply).toContainText("not allowed");
    await reply.getByRole("link", { name: "Open trace", exact: true }).click();
    await page
      .getByRole("tree", { name: "Spans" })
      .getByRole("treeitem", { name: /hook\.no-word/ })
      .first()
      .click();
    const span = page.getByRole("complementary", { name: "Span" });
    await expect(span).toContainText("no-word/index.ts");
    await expect(span).toContainText(hash);
  });

  await test.step("A file that is taken away is missed by its agent, which says so", async () => {
    rmSync(path.join(folder, "greet.ts"));
    await page.goto("/admin/tools?tab=extensions");
    await expect(toolRow).toBeVisible();
    await reload.click();
    await expect(toolRow).toBeHidden();
    await page.goto("/admin/agents/greeter");
    await expect(page.getByText(/greet\.ts is not in the extensions folder any more/).first()).toBeVisible();
    await startThread(page, "greeter", "Greet again");
    await expect(page.getByText(/greet\.ts is not in the extensions folder any more/).first()).toBeVisible();
  });
});
