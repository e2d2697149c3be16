import { readFile } from "node:fs/promises";
import { composer, gate, lastReply, startThread, threadRow, whenDone } from "./support/chat";
import { expect, test } from "./support/journey";

test.use({ expectedErrors: [/status of (404|409) .*\/api\/threads\//] });

test("Threads are narrowed by agent and state, and several are exported, archived, deleted and restored", async ({
  page,
  installation,
}) => {
  await installation.addAgent("sorter", [{ text: "Sorted." }]);
  await installation.addAgent("stumbler", [{ text: "Fine." }]);
  for (const title of ["Sort the apples", "Sort the pears", "Sort the plums"]) {
    await startThread(page, "sorter", title);
    await whenDone(page);
  }
  await startThread(page, "stumbler", "Walk a while");
  await whenDone(page);

  const list = page.getByRole("navigation", { name: "Threads" });
  const choose = async (name: "Agent" | "State", option: string) => {
    await page.getByRole("button", { name: new RegExp(`${name}$`) }).click();
    await page.getByRole("option", { name: option, exact: true }).click();
  };

  await test.step("Filters", async () => {
    await page.getByRole("button", { name: "Filter and select" }).click();
    await choose("Agent", "stumbler");
    await expect(threadRow(page, "Sort the pears")).toBeHidden();
    await expect(threadRow(page, "Walk a while")).toBeVisible();
    await choose("State", "Failed");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect(threadRow(page, "Sort the pears")).toBeVisible();
  });

  const select = async () => {
    await threadRow(page, "Sort the plums").getByRole("link").focus();
    await page.keyboard.press("x");
    await threadRow(page, "Sort the pears").getByRole("checkbox").check();
    await expect(page.getByText("2 selected")).toBeVisible();
  };
  const tools = page.getByRole("toolbar", { name: "Selected threads" });

  await test.step("Export", async () => {
    await select();
    await tools.getByRole("button", { name: "Export" }).click();
    const started = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: "Markdown" }).click();
    const file = await started;
    expect(file.suggestedFilename()).toBe("threads.zip");
    const bytes = await readFile(await file.path());
    for (const name of ["Sort the plums.md", "Sort the pears.md"]) expect(bytes.includes(name)).toBe(true);
    expect(bytes.includes("Sort the apples.md")).toBe(false);
  });

  await test.step("Archive and undo", async () => {
    await tools.getByRole("button", { name: "Archive" }).click();
    await expect(threadRow(page, "Sort the plums")).toBeHidden();
    await expect(threadRow(page, "Sort the apples")).toBeVisible();
    await page.getByRole("button", { name: "Undo", exact: true }).last().click();
    await expect(threadRow(page, "Sort the plums")).toBeVisible();
  });

  await test.step("Delete and undo", async () => {
    await select();
    await tools.getByRole("button", { name: "Delete" }).click();
    await expect(threadRow(page, "Sort the pears")).toBeHidden();
    const notices = page.getByRole("region", { name: "Notifications" }).locator("> div");
    await notices.filter({ hasText: "Deleted 2 threads" }).getByRole("button", { name: "Undo", exact: true }).click();
    await expect(threadRow(page, "Sort the pears")).toBeVisible();
    await expect(list.getByRole("checkbox")).toHaveCount(0);
  });
});

test("Several threads move to a project by keys alone; one that runs stays, and says why", async ({
  page,
  installation,
}) => {
  const hold = gate();
  await installation.addAgent("mover", [{ text: "Done." }, { text: "Late.", gate: hold.opened }]);
  await page.goto("/");
  const headers = { origin: installation.url };
  const made = await page.request.post("/api/projects", { headers, data: { name: "Fruit" } });
  expect(made.ok()).toBe(true);
  await startThread(page, "mover", "Peel the apples");
  await whenDone(page);
  await startThread(page, "mover", "Peel the pears");
  // The page that opens gives its field the focus.
  await expect(composer(page)).toBeFocused();
  const tools = page.getByRole("toolbar", { name: "Selected threads" });
  for (const [index, title] of ["Peel the pears", "Peel the apples"].entries()) {
    await threadRow(page, title).getByRole("link").focus();
    await page.keyboard.press("x");
    await expect(page.getByText(`${index + 1} selected`)).toBeVisible();
  }
  await tools.getByRole("button", { name: "Move to a project" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Move 2 threads" });
  await expect(dialog.getByRole("button", { name: /Project$/ })).toContainText("Fruit");
  await dialog.getByRole("button", { name: "Move", exact: true }).press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByText("Moved 1 thread to Fruit")).toBeVisible();
  await expect(page.getByText(/^1 thread could not be moved\./)).toBeVisible();
  await expect(threadRow(page, "Peel the apples")).toBeHidden();
  await expect(page.getByText("1 selected")).toBeVisible();
  // Esc ends the selection only: the run goes on.
  await threadRow(page, "Peel the pears").getByRole("link").press("Escape");
  await expect(tools).toBeHidden();
  await expect(page.getByRole("button", { name: "Stop", exact: false }).first()).toBeVisible();
  await threadRow(page, "Peel the pears").getByRole("link").press("x");
  await expect(page.getByText("1 selected")).toBeVisible();
  hold.open();
  await expect(lastReply(page)).toHaveAttribute("aria-busy", "false");
  await expect(lastReply(page)).toContainText("Late.");
  await tools.getByRole("button", { name: "Delete" }).press("Enter");
  await expect(tools).toBeHidden();
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
});

test("The model that answered first names a thread", async ({ page, installation, provider }) => {
  await installation.addAgent("namer", [], {
    model: { provider: "openai-compatible", model: "namer", base_url: provider.url },
  });
  provider.script("namer", [
    ({ messages = [] }) =>
      JSON.stringify(messages).includes("Write a title") ? { text: '"Otters at night"' } : { text: "They sleep." },
  ]);
  await startThread(page, "namer", "Could you tell me what otters do at night?");
  await whenDone(page);
  await expect(page.getByRole("heading", { name: "Otters at night" })).toBeVisible();
  await expect(threadRow(page, "Otters at night")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Otters at night" })).toBeVisible();
});
