import { zipFile } from "../lib/testing/files/zip-file";
import { composer, lastReply, send, whenDone } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

const SKILL = "---\nname: bee-facts\ndescription: What to say about bees\n---\n# Bees\n\nSay that bees dance.\n";

function archive(files: Record<string, string>) {
  const entries = Object.entries(files).map(([path, content]) => ({ path, content }));
  return { name: "bee-facts.zip", mimeType: "application/zip", buffer: Buffer.from(zipFile(entries)) };
}

test.use({ expectedErrors: [/status of 400 .*\/api\/skills/] });

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
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(row).toContainText("v2");
  });

  await checkAccessibility(page, "/admin/skills", () => expect(row).toBeVisible());
  await checkAccessibility(page, "/admin/skills/bee-facts", () =>
    expect(page.getByRole("heading", { name: "Bees", exact: true })).toBeVisible(),
  );
});
