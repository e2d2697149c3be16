import { readFile } from "node:fs/promises";
import { composer, lastReply, send, startThread, whenDone } from "./support/chat";
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

  await test.step("After an @ the composer lists it; chosen, its path stands in the message", async () => {
    await composer(page).fill("Look at @not");
    await page.getByRole("option", { name: /@notes\.md/ }).click();
    await expect(composer(page)).toHaveValue("Look at `notes.md` ");
    await composer(page).fill("Look at @not");
    await expect(page.getByRole("option", { name: /@notes\.md/ })).toBeVisible();
    await composer(page).press("Enter");
    await expect(composer(page)).toHaveValue("Look at `notes.md` ");
    await composer(page).fill("");
  });

  await test.step("Edit in place, unless the file was changed in the meantime", async () => {
    await changed.getByRole("button", { name: /notes\.md/ }).click();
    const file = page.getByRole("dialog", { name: "notes.md" });
    await file.getByRole("button", { name: "Edit" }).click();
    const field = file.getByRole("textbox", { name: "Text of notes.md" });
    await expect(field).toBeFocused();
    await field.fill("# Notes\n\nthird line\n");
    // The palette, which leads away from what is not saved, stays shut.
    await page.keyboard.press("ControlOrMeta+k");
    const thread = new URL(page.url()).pathname;
    const put = { path: "notes.md", content: "# Notes\n\nfrom another person\n" };
    await page.request.put(`/api${thread}/files`, { data: put, headers: { origin: installation.url } });
    await file.getByRole("button", { name: "Save", exact: true }).click();
    await expect(file.getByRole("heading", { name: "The file was changed while you edited it" })).toBeVisible();
    await file.getByRole("button", { name: "Save mine" }).click();
    await expect(file.getByText("third line")).toBeVisible();
    await file.getByRole("tab", { name: "Versions and changes" }).click();
    await expect(file.getByRole("list", { name: "Versions" }).getByRole("listitem")).toHaveCount(4);
    await file.getByRole("button", { name: "Close" }).click();
  });

  const workspace = panel.getByRole("list", { name: "Workspace" });
  await test.step("Download all", async () => {
    const started = page.waitForEvent("download");
    await panel.getByRole("link", { name: "Download all files" }).click();
    const archive = await started;
    expect(archive.suggestedFilename()).toBe("workspace.zip");
    expect((await readFile(await archive.path())).includes("notes.md")).toBe(true);
  });

  await test.step("Upload", async () => {
    await panel.getByLabel("Files to upload").setInputFiles({
      name: "table.csv",
      mimeType: "text/csv",
      buffer: Buffer.from("a,b\n1,2\n"),
    });
    await expect(workspace.getByRole("button", { name: /table\.csv/ })).toBeVisible();
  });

  await test.step("Delete and undo", async () => {
    const entry = workspace.getByRole("button", { name: /table\.csv/ });
    await entry.click();
    await page
      .getByRole("complementary", { name: "File", exact: true })
      .getByRole("button", { name: "Edit or delete" })
      .click();
    await page.getByRole("dialog", { name: "table.csv" }).getByRole("button", { name: "Delete" }).click();
    await expect(entry).toBeHidden();
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(entry).toBeVisible();
  });
});

test("Files come with a message: chosen, pasted and dropped, they are in the workspace and named to the model", async ({
  page,
  installation,
}) => {
  let asked = "";
  await installation.addAgent("reading", [
    ({ messages = [] }) => {
      asked = JSON.stringify(messages.at(-1)?.content);
      return { text: "I have seen them." };
    },
  ]);
  await page.goto("/?agent=reading");
  const csv = { name: "times.csv", mimeType: "text/csv", buffer: Buffer.from("a,b\n1,2\n") };
  await page.getByLabel("Files to attach").setInputFiles(csv);
  await composer(page).evaluate(pasteAndDrop);
  const attached = page.getByRole("list", { name: "Attached files" });
  await expect(attached.getByRole("listitem")).toHaveCount(3);
  await attached.getByRole("button", { name: "Remove dropped.txt" }).click();
  await send(page, "Read these");
  await page.waitForURL(/\/threads\/th_/);
  await whenDone(page);
  const message = page.getByRole("article", { name: "Your message" });
  await expect(message.getByRole("listitem")).toHaveText([/times\.csv/, /pasted\.txt/]);
  await expect(message.getByText("Read these", { exact: true })).toBeVisible();
  expect(asked).toContain("uploads/times.csv");
  expect(asked).toContain("uploads/pasted.txt");
  const thread = new URL(page.url()).pathname;
  const stored = await page.request.get(`/api${thread}/files/content?path=uploads/times.csv`);
  expect(await stored.text()).toBe("a,b\n1,2\n");

  await page.getByLabel("Files to attach").setInputFiles(csv);
  await page.getByRole("button", { name: "Send message" }).click();
  await expect(page.getByRole("article", { name: "Your message" }).last()).toContainText("times-2.csv");
});

/** Runs in the browser: a file from the clipboard, another one from the desk. */
function pasteAndDrop(field: Element): void {
  const holding = (name: string) => {
    const data = new DataTransfer();
    data.items.add(new File(["x"], name));
    return data;
  };
  const options = { bubbles: true, cancelable: true };
  field.dispatchEvent(new ClipboardEvent("paste", { ...options, clipboardData: holding("pasted.txt") }));
  document.body.dispatchEvent(new DragEvent("drop", { ...options, dataTransfer: holding("dropped.txt") }));
}
