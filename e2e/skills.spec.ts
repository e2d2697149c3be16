import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { zipFile } from "../lib/testing/files/zip-file";
import { composer, lastReply, send, whenDone } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

const SKILL = "---\nname: bee-facts\ndescription: What to say about bees\n---\n# Bees\n\nSay that bees dance.\n";

function archive(files: Record<string, string>) {
  const entries = Object.entries(files).map(([path, content]) => ({ path, content }));
  return { name: "bee-facts.zip", mimeType: "application/zip", buffer: Buffer.from(zipFile(entries)) };
}

test.use({ expectedErrors: [/status of (400|409) .*\/api\/skills/] });

test("A skill is installed from a zip, used in the chat, deleted and restored", async ({ page, installation }) => {
  test.slow();
  await installation.call("POST", "/agents", {
    agent_id: "beekeeper",
    name: "Beekeeper",
    model: "demo:demo",
    backend: { type: "state" },
    skills: { paths: ["skills"] },
  });
  const upload = async (files: Record<string, string>) => {
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Upload zip" }).click();
    await (await chooser).setFiles(archive(files));
  };
  const row = page.getByRole("row", { name: /^bee-facts/ });
  await page.goto("/admin/skills");

  await test.step("What may not be installed is refused, and the message names the file", async () => {
    await upload({ "bee-facts/SKILL.md": "# no front matter" });
    const problem = page.getByRole("alert").filter({ hasText: "was not installed" });
    await expect(problem).toContainText("SKILL.md has no front matter");
    await problem.getByRole("button", { name: "Close" }).click();
    await expect(problem).toBeHidden();
    await expect(row).toBeHidden();
  });

  await test.step("The archive is installed; its files and versions can be looked at", async () => {
    await upload({ "bee-facts/SKILL.md": SKILL });
    await expect(row).toContainText("What to say about bees");
    await expect(row).toContainText("Beekeeper");
    await upload({ "bee-facts/SKILL.md": SKILL, "bee-facts/scripts/dance.py": "print('waggle')" });
    await expect(row).toContainText("v2");
    await row.getByRole("link", { name: "bee-facts" }).click();
    await expect(page.getByRole("heading", { name: "Bees", exact: true })).toBeVisible();
    await page.getByRole("treegrid", { name: "Files" }).getByRole("row", { name: "dance.py" }).click();
    await expect(page.getByText("print('waggle')")).toBeVisible();
    await page.getByRole("button", { name: /^v1/ }).click();
    await expect(page.getByRole("row", { name: "dance.py" })).toBeHidden();
  });

  await test.step("The slash menu offers it, and the agent reads it first", async () => {
    await page.goto("/?agent=beekeeper");
    await expect(async () => {
      await composer(page).fill("/bee");
      await expect(page.getByRole("option", { name: /^\/bee-facts/ })).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await composer(page).press("Enter");
    await expect(composer(page)).toHaveValue("/bee-facts ");
    await send(page, "/bee-facts create bees.txt with They dance");
    await page.waitForURL(/\/threads\/th_/);
    await whenDone(page);
    await expect(lastReply(page)).toContainText("Say that bees dance.");
    await expect(lastReply(page)).toContainText("bees.txt");
  });

  await test.step("Deleting can be undone", async () => {
    await page.goto("/admin/skills");
    await page.getByRole("button", { name: "Actions for bee-facts" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await expect(row).toBeHidden();
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(row).toContainText("v2");
  });

  await checkAccessibility(page, "/admin/skills", () => expect(row).toBeVisible());
  await checkAccessibility(page, "/admin/skills/bee-facts", () =>
    expect(page.getByRole("heading", { name: "Bees", exact: true })).toBeVisible(),
  );
});

/** A folder as people write them: instructions, a reference and a script, and the tools that it allows. */
function writeFolder(): string {
  const folder = path.join(mkdtempSync(path.join(tmpdir(), "ringmaster-skill-")), "hive-report");
  mkdirSync(path.join(folder, "references"), { recursive: true });
  mkdirSync(path.join(folder, "scripts"));
  const fields = ["license: Apache-2.0", "metadata: {author: Ada}", "allowed-tools: Read Write(reports/**)"];
  const front = ["name: hive-report", "description: How to report on a hive", ...fields].join("\n");
  writeFileSync(path.join(folder, "SKILL.md"), `---\n${front}\n---\n\n# Hive report\n\nRead references/form.md.\n`);
  writeFileSync(path.join(folder, "references", "form.md"), "# Form\n\n- Bees:\n");
  writeFileSync(path.join(folder, "scripts", "count.py"), "print('bees')\n");
  return folder;
}

test("A skill folder is uploaded, changed in place, and keeps the agent to its tools", async ({
  page,
  installation,
}) => {
  test.slow();
  const write = (file: string) => ({ name: "write_file", args: { path: file, content: "Bees: 12\n" } });
  await installation.addAgent(
    "hive-keeper",
    [
      { calls: [{ name: "read_file", args: { path: "/skills/hive-report/SKILL.md" } }] },
      { calls: [write("elsewhere.md"), write("reports/hive.md")] },
      { text: "The report is written." },
    ],
    { skills: { paths: ["skills"] } },
  );
  const editor = page.getByRole("textbox", { name: "Text of SKILL.md" });

  await test.step("The folder is installed with all that its front matter says", async () => {
    await page.goto("/admin/skills");
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Upload folder" }).click();
    await (await chooser).setFiles(writeFolder());
    await page
      .getByRole("row", { name: /^hive-report/ })
      .getByRole("link", { name: "hive-report" })
      .click();
    const about = page.getByRole("complementary", { name: "About the skill" });
    await expect(about).toContainText("Apache-2.0");
    await expect(about).toContainText("Write(reports/**)");
    await expect(about.getByRole("link", { name: "hive-keeper" })).toBeVisible();
    await about.getByText("in its list", { exact: false }).first().click();
    await expect(about).toContainText("[hive-report] How to report on a hive");
  });

  await test.step("It is edited beside its preview; what is wrong is said and what was typed stays", async () => {
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    const typed = await editor.inputValue();
    await editor.fill(typed.replace("name: hive-report", "name: other"));
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "must stay hive-report" })).toBeVisible();
    await page.reload();
    await expect(editor).toHaveValue(/name: other/);
    await editor.fill(typed.replace("Read references/form.md.", "Fill in references/form.md."));
    await expect(page.getByRole("region", { name: "Preview" })).toContainText("Fill in references/form.md.");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("button", { name: /^v2/ })).toContainText("current");
    await page.getByRole("button", { name: "Compare" }).click();
    const dialog = page.getByRole("dialog", { name: "Compare versions of hive-report" });
    await expect(dialog.getByRole("group", { name: "Changes in SKILL.md" })).toContainText(
      "Fill in references/form.md.",
    );
    await page.keyboard.press("Escape");
  });

  await test.step("A run that begins with its command writes where the skill allows it, and nowhere else", async () => {
    await page.goto("/?agent=hive-keeper");
    await send(page, "/hive-report about the hive");
    await page.waitForURL(/\/threads\/th_/);
    await whenDone(page);
    await expect(lastReply(page)).toContainText("The report is written.");
    await expect(lastReply(page)).toContainText(/elsewhere\.md\s*not allowed/);
    const files = await page.request.get(`/agents/hive-keeper/files/list`);
    const { entries } = await files.json();
    expect(entries.map(({ name }: { name: string }) => name)).toContain("reports");
    expect(entries.map(({ name }: { name: string }) => name)).not.toContain("elsewhere.md");
  });

  await test.step("A skill is created on the page", async () => {
    await page.goto("/admin/skills");
    await page.getByRole("button", { name: "New skill" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("smoke-the-hive");
    await page.getByRole("textbox", { name: "What it is for" }).fill("How to calm bees");
    await page.getByRole("button", { name: "Create skill" }).click();
    await expect(page.getByRole("heading", { name: "smoke-the-hive", level: 1 }).first()).toBeVisible();
    await page.getByRole("button", { name: "Add a file" }).click();
    await page.getByRole("textbox", { name: "Path" }).fill("references/smoke.md");
    await page.getByRole("button", { name: "Add file" }).click();
    await expect(page.getByRole("heading", { name: "references/smoke.md" })).toBeVisible();
    await page.getByRole("button", { name: "Remove" }).click();
    await expect(page.getByRole("region", { name: "SKILL.md", exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await expect(editor).toBeVisible();
  });

  await checkAccessibility(page, "/admin/skills/smoke-the-hive", () => expect(editor).toBeVisible());
});
