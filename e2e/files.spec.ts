import { readFile } from "node:fs/promises";
import { lastReply, startThread, whenDone } from "./support/chat";
import { expect, test } from "./support/journey";

test("Files of a thread can be looked at, compared, uploaded, downloaded and deleted", async ({
  page,
  installation,
}) => {
  await installation.addAgent("filing", [
    { calls: [{ name: "write_file", args: { path: "notes.md", content: "# Notes\n\nfirst line\n" } }] },
    { calls: [{ name: "edit_file", args: { path: "notes.md", old_text: "first", new_text: "second" } }] },
    { text: "Written and changed." },
  ]);
  await startThread(page, "filing", "Write notes");
  await whenDone(page);
  const panel = page.getByRole("complementary", { name: "Run" });
  const changed = panel.getByRole("list", { name: "Changed files" });

  await test.step("The card of the edit shows the difference", async () => {
    await lastReply(page)
      .getByRole("button", { name: /^edit_file/ })
      .click();
    await expect(lastReply(page).getByText("second line")).toBeVisible();
  });

  await test.step("Preview and versions", async () => {
    await changed.getByRole("button", { name: /notes\.md/ }).click();
    const file = page.getByRole("dialog", { name: "notes.md" });
    await expect(file.getByRole("heading", { name: "Notes", exact: true })).toBeVisible();
    await file.getByRole("tab", { name: "Versions and changes" }).click();
    await expect(file.getByRole("list", { name: "Versions" }).getByRole("listitem")).toHaveCount(2);
    await expect(file.getByText("first line")).toBeVisible();
    await expect(file.getByText("second line")).toBeVisible();
    const started = page.waitForEvent("download");
    await file.getByRole("link", { name: "Download", exact: true }).click();
    expect(await readFile(await (await started).path(), "utf8")).toBe("# Notes\n\nsecond line\n");
    await file.getByRole("button", { name: "Close" }).click();
  });

  const workspace = panel.getByRole("list", { name: "Workspace" });
  await test.step("Upload", async () => {
    await panel.getByLabel("Files to upload").setInputFiles({
      name: "table.csv",
      mimeType: "text/csv",
      buffer: Buffer.from("a,b\n1,2\n"),
    });
    await expect(workspace.getByRole("button", { name: /table\.csv/ })).toBeVisible();
  });

  await test.step("Delete and take back", async () => {
    const entry = workspace.getByRole("button", { name: /table\.csv/ });
    await entry.click();
    await page.getByRole("dialog", { name: "table.csv" }).getByRole("button", { name: "Delete" }).click();
    await expect(entry).toBeHidden();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(entry).toBeVisible();
  });
});
