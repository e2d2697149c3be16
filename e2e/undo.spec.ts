import { lastReply, send, startThread, whenDone } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

const write = (path: string, content: string) => ({ name: "write_file", args: { path, content } });
const NEW = ["one.md", "two.md", "three.md", "four.md"];

// It is asked a second time for what was undone.
test.use({ expectedErrors: [/status of 409/] });

test("A run that wrote five files, of which one was edited since, is undone from its reply and taken back", async ({
  page,
  installation,
}) => {
  await installation.addAgent("undone-runs", [
    { calls: [write("kept.md", "before\n")] },
    { text: "Begun." },
    { calls: [write("kept.md", "of the run\n"), ...NEW.map((path) => write(path, "new\n"))] },
    { text: "All written." },
    { text: "I have read it." },
  ]);
  await startThread(page, "undone-runs", "Begin.");
  await whenDone(page);
  await send(page, "Write five files.");
  await expect(page.getByText("All written.")).toBeVisible();
  await whenDone(page);
  const threadId = new URL(page.url()).pathname.split("/").at(-1);
  const files = `/api/threads/${threadId}/files`;
  const text = async (path: string) => (await page.request.get(`${files}/content?path=${path}`)).text();
  const headers = { origin: installation.url };
  const edited = await page.request.put(files, { headers, data: { path: "one.md", content: "mine\n" } });
  expect(edited.ok()).toBe(true);

  const dialog = page.getByRole("dialog", { name: "Undo this run?" });
  const open = async () => {
    await lastReply(page).getByRole("button", { name: "Undo this run" }).click();
    await expect(dialog.getByText("go back.")).toBeVisible();
  };
  await test.step("The dialog says what goes back, and its focus is on Cancel", async () => {
    await open();
    await expect(dialog.getByRole("listitem")).toHaveCount(5);
    await expect(dialog.getByRole("listitem").filter({ hasText: "kept.md" })).toContainText("Restore");
    await expect(dialog.getByRole("listitem").filter({ hasText: "one.md" })).toContainText("Keep both");
    await expect(dialog.getByRole("listitem").filter({ hasText: "two.md" })).toContainText("Delete");
    await expect(dialog.getByRole("button", { name: /Cancel/ })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    expect(await text("two.md")).toBe("new\n");
  });

  await test.step("By keys it is undone: the edited file stays, and the thread has a line", async () => {
    await open();
    await page.keyboard.press("ControlOrMeta+Enter");
    await expect(dialog).toBeHidden();
    const line = page.getByRole("complementary", { name: "Undo" });
    await expect(line).toContainText("kept.md restored");
    expect(await text("kept.md")).toBe("before\n");
    expect(await text("one.md")).toBe("mine\n");
    expect((await page.request.get(`${files}/content?path=two.md`)).status()).toBe(404);
  });

  await test.step("A second time it is refused in words, and the trace says who undid it", async () => {
    await lastReply(page).getByRole("button", { name: "Undo this run" }).click();
    await expect(dialog.getByRole("alert")).toContainText("has undone this run already");
    await dialog.getByRole("button", { name: /Cancel/ }).click();
    await page.getByRole("link", { name: "Open trace" }).last().click();
    await expect(page.getByText(/^Undone by /)).toBeVisible();
    await page.goBack();
  });

  await test.step("Its line takes it back", async () => {
    const lines = page.getByRole("complementary", { name: "Undo" });
    await lines.getByRole("button", { name: "Take back" }).click();
    await expect(lines).toHaveCount(2);
    await expect(lines.getByRole("button", { name: "Take back" })).toHaveCount(0);
    expect(await text("two.md")).toBe("new\n");
    expect(await text("kept.md")).toBe("of the run\n");
  });

  await checkAccessibility(page, `/threads/${threadId}`, async () => {
    await lastReply(page).getByRole("button", { name: "Undo this run" }).click();
    await expect(dialog.getByText("go back.")).toBeVisible();
  });
});
