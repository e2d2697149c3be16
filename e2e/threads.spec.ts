import { readFile } from "node:fs/promises";
import type { Download, Page } from "@playwright/test";
import { startThread, threadRow, whenDone } from "./support/chat";
import { expect, test } from "./support/journey";

async function openMenu(page: Page, title: string): Promise<void> {
  const row = threadRow(page, title);
  await row.hover();
  await row.getByRole("button", { name: "Thread actions" }).click();
}

async function choose(page: Page, title: string, action: string): Promise<void> {
  await openMenu(page, title);
  await page.getByRole("menuitem", { name: action, exact: true }).click();
}

// The page of a thread that has just been deleted may request it again before it is left.
test.use({ expectedErrors: [/status of 404 .*\/api\/threads\//] });

test("Threads can be found, renamed, pinned, archived, deleted and restored", async ({ page, installation }) => {
  await installation.addAgent("lists", [{ text: "The capital is Canberra." }]);
  await startThread(page, "lists", "Capital of Australia");
  await whenDone(page);
  await startThread(page, "lists", "Something else entirely");
  await whenDone(page);

  await test.step("Search looks into titles and texts", async () => {
    const search = page.getByRole("searchbox", { name: "Search threads" });
    await search.fill("australia");
    await expect(threadRow(page, "Something else entirely")).toBeHidden();
    await expect(threadRow(page, "Capital of Australia")).toBeVisible();
    await search.fill("nothing has this in it");
    await page.getByRole("button", { name: "Clear search" }).last().click();
    await expect(threadRow(page, "Something else entirely")).toBeVisible();
  });

  await test.step("Rename and pin", async () => {
    await choose(page, "Capital of Australia", "Rename");
    const dialog = page.getByRole("dialog", { name: "Rename thread" });
    await dialog.getByLabel("Title").fill("Capitals");
    await dialog.getByRole("button", { name: "Rename" }).click();
    await expect(threadRow(page, "Capitals")).toBeVisible();
    await choose(page, "Capitals", "Pin");
    const sections = page.getByRole("navigation", { name: "Threads" }).locator("section");
    const pinned = sections.filter({ has: page.getByRole("heading", { name: "Pinned" }) });
    await expect(pinned.getByRole("link", { name: "Capitals" })).toBeVisible();
  });

  await test.step("Archive and unarchive", async () => {
    await choose(page, "Capitals", "Archive");
    await expect(threadRow(page, "Capitals")).toBeHidden();
    await page.getByRole("button", { name: "Archived" }).click();
    await expect(threadRow(page, "Capitals")).toBeVisible();
    await choose(page, "Capitals", "Unarchive");
    await page.getByRole("button", { name: "Back to threads" }).click();
    await expect(threadRow(page, "Capitals")).toBeVisible();
  });

  await test.step("Delete, undo, delete for good", async () => {
    await choose(page, "Capitals", "Delete");
    await expect(threadRow(page, "Capitals")).toBeHidden();
    // Not that of an earlier notice: this one comes when the server has answered.
    const notices = page.getByRole("region", { name: "Notifications" }).locator("> div");
    await notices.filter({ hasText: "Deleted" }).getByRole("button", { name: "Undo", exact: true }).click();
    await expect(threadRow(page, "Capitals")).toBeVisible();
    await choose(page, "Something else entirely", "Delete");
    await expect(page).toHaveURL(/\/$/);
    await page.reload();
    await expect(threadRow(page, "Capitals")).toBeVisible();
    await expect(threadRow(page, "Something else entirely")).toBeHidden();
  });
});

test("A thread is exported as JSON and as Markdown", async ({ page, installation }) => {
  await installation.addAgent("exports", [{ text: "An answer worth keeping." }]);
  await startThread(page, "exports", "Question to keep");
  await whenDone(page);
  const download = async (action: string): Promise<string> => {
    const started = page.waitForEvent("download");
    await choose(page, "Question to keep", action);
    const file = await started;
    expect(file.suggestedFilename()).toBe(`Question to keep.${action === "Export JSON" ? "json" : "md"}`);
    return await textOf(file);
  };
  const json = JSON.parse(await download("Export JSON"));
  expect(JSON.stringify(json)).toContain("An answer worth keeping.");
  const markdown = await download("Export Markdown");
  expect(markdown).toContain("Question to keep");
  expect(markdown).toContain("Model: scripted:exports");
  expect(markdown).toContain("An answer worth keeping.");
});

async function textOf(download: Download): Promise<string> {
  return await readFile(await download.path(), "utf8");
}

test("The address of a thread opens it at the first paint, without a skeleton before", async ({
  page,
  installation,
  openAs,
  admin,
}) => {
  await installation.addAgent("whole", [{ text: "The capital is Canberra." }]);
  await startThread(page, "whole", "Capital of Australia");
  await whenDone(page);
  const fresh = await openAs(admin);
  await fresh.addInitScript(() => {
    const painted: string[] = [];
    Object.assign(window, { painted });
    const note = () => {
      const names = [...document.querySelectorAll("main [role=status], main article")]
        .filter((element) => element.checkVisibility())
        .map((element) => element.getAttribute("aria-label") ?? "");
      painted.push(...names);
    };
    const frame = () => {
      // Once the frame is painted.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = note;
      port2.postMessage(null);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  await fresh.goto(page.url());
  const painted = () => fresh.evaluate(() => (window as unknown as { painted: string[] }).painted);
  await expect.poll(painted).toContain("Reply");
  expect(await painted()).not.toContain("Loading the thread");
});
