import { expect, test } from "@playwright/test";
import { startTestServer, type TestServer } from "../scripts/testing/test-server";
import { lastReply, send, whenDone } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { watchPages } from "./support/watch-page";

let server: TestServer;
test.beforeAll(async () => {
  server = await startTestServer();
});
test.afterAll(() => server.stop());

test("A newcomer sets up, asks, closes the tab, finds the work done and opens its trace", async ({ context, page }) => {
  const watch = watchPages(context);
  await test.step("The link in the server's log creates the first admin", async () => {
    const link = /http:\/\/\S+\/setup#token=\S+/.exec(server.output())?.[0] ?? "";
    expect(link, "the log prints the link").not.toBe("");
    const { hash, pathname } = new URL(link);
    await page.goto(server.url);
    await expect(page).toHaveURL(/\/setup$/);
    await checkAccessibility(page, page.url(), () => expect(page.getByLabel("Set-up token")).toBeVisible());
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto("about:blank");
    await page.goto(server.url + pathname + hash);
    await expect(page.getByLabel("Set-up token")).toBeHidden();
    await page.getByLabel("Your name").fill("Nora Newcomer");
    await page.getByLabel("Email").fill("nora@example.org");
    await page.getByLabel("Password").fill("a-long-test-password");
    await page.getByRole("button", { name: "Set up Ringmaster" }).click();
    await expect(page.getByRole("heading", { name: "What can I help with?" })).toBeVisible();
  });

  await test.step("The demo model plans and works while one watches", async () => {
    await expect(page.getByText("No provider is set up, so a small rule-based model answers.")).toBeVisible();
    await send(page, "Plan and create a small website about otters");
    await page.waitForURL(/\/threads\/th_/);
    await expect(page.getByRole("button", { name: /^write_todos/ }).first()).toBeVisible();
    // The plan, or already the page that the run has written.
    const written = page.getByRole("complementary", { name: "File", exact: true });
    await expect(page.getByText("Write the page and its style").or(written).first()).toBeVisible();
  });

  // Without the file that may have opened beside it.
  const address = new URL(page.url()).origin + new URL(page.url()).pathname;
  await page.close();
  const again = await context.newPage();

  await test.step("Opened again, the run has finished and nothing is missing", async () => {
    await again.goto(address);
    await whenDone(again);
    // A page that the run has written lies beside the thread; opened again, the thread shows the run.
    await again.goto(address);
    const reply = await whenDone(again);
    await expect(reply.getByRole("heading", { name: "A website about otters" })).toBeVisible();
    await expect(reply.getByRole("button", { name: /^write_file/ })).toHaveCount(2);
    const panel = again.getByRole("complementary", { name: "Run" });
    await expect(panel.getByText("4 of 4", { exact: true })).toBeVisible();
    const changed = panel.getByRole("list", { name: "Changed files" });
    await expect(changed.getByRole("button")).toHaveCount(2);
  });

  await test.step("The trace shows each model call with its messages and each tool with arguments and result", async () => {
    await lastReply(again).getByRole("link", { name: "Open trace", exact: true }).click();
    await again.waitForURL(/\/traces\//);
    const spans = again.getByRole("tree", { name: "Spans" });
    await spans
      .getByRole("treeitem", { name: /llm\.call|demo/ })
      .first()
      .click();
    const span = again.getByRole("complementary", { name: "Span" });
    await expect(span.getByText("Plan and create a small website about otters")).toBeVisible();
    await spans
      .getByRole("treeitem", { name: /write_file/ })
      .first()
      .click();
    await expect(span.getByText("otters/index.html").first()).toBeVisible();
    await expect(span.getByText("Result", { exact: true }).first()).toBeVisible();
  });

  await test.step("A tool's card leads to its own span", async () => {
    await again.goto(address);
    const card = lastReply(again).getByRole("article").filter({ hasText: "otters/style.css" }).first();
    await card.getByRole("link", { name: "Open in the trace" }).click();
    await again.waitForURL(/\/traces\//);
    await expect(
      again.getByRole("complementary", { name: "Span" }).getByText("otters/style.css").first(),
    ).toBeVisible();
  });
  expect(watch.problems).toEqual([]);
});
