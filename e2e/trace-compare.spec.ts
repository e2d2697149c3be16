import type { TraceList } from "@/lib/schema/traces/trace";
import { composer, send, startThread, whenDone } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

const write = (path: string, content: string) => ({ name: "write_file", args: { path, content } });

test("Two ticked runs are compared by keys, and the page opens where they part", async ({ page, installation }) => {
  await installation.addAgent("compared-runs", [
    { text: "I note it.", calls: [write("notes.md", "one\n")] },
    { text: "It is noted." },
    { text: "I note it.", calls: [write("notes.md", "one\n")] },
    { text: "Not yet, again.", calls: [write("notes.md", "two\n")] },
    { text: "Now it is noted." },
  ]);
  await startThread(page, "compared-runs", "Note it.");
  await whenDone(page);
  await send(page, "Note it again.");
  await expect(composer(page)).toHaveValue("");
  await expect(page.getByText("Now it is noted.")).toBeVisible();
  await whenDone(page);
  const listed = await installation.call("GET", "/api/traces?agentId=compared-runs");
  const [second, first] = ((await listed.json()) as TraceList).traces;

  await page.goto("/traces?agent=compared-runs");
  await expect(page.getByRole("link", { name: "Note it again." })).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await expect(page.getByText("2 runs ticked")).toBeVisible();
  await page.keyboard.press("c");
  await page.waitForURL(/\/traces\/compare\?/);
  await expect(page.getByText("First difference")).toBeVisible();

  const address = `/traces/compare?a=${first?.runId}&b=${second?.runId}`;
  await page.goto(address);
  const both = page.getByRole("region", { name: "Both runs" });
  await expect(both.getByText("Step 1, 1 call the same")).toBeVisible();
  await expect(both.getByRole("region", { name: "Step 2" })).toContainText("Not yet, again.");
  await expect(both.getByRole("region", { name: "Step 3" })).toContainText("only in B");
  await page.keyboard.press("=");
  await expect(both.getByRole("region", { name: "Step 1" })).toBeVisible();
  await page.keyboard.press("s");
  await expect(both.getByRole("region", { name: "Step 3" })).toContainText("only in A");

  await page.goto(`/traces/${first?.runId}`);
  await page.getByRole("link", { name: "Compare" }).click();
  await page.getByRole("button", { name: /Note it again/ }).click();
  await expect(both.getByRole("region", { name: "Step 2" })).toBeVisible();
  await checkAccessibility(page, address, async () => {
    await expect(both.getByRole("region", { name: "Step 2" })).toBeVisible();
  });
  await checkAccessibility(page, `/traces/compare?a=${first?.runId}`, async () => {
    await expect(page.getByRole("button", { name: /Note it again/ })).toBeVisible();
  });
});

test("A problem opens beside the list, leads to its runs and is resolved", async ({ page, installation }) => {
  const missing = { name: "read_file", args: { path: "none.md" } };
  await installation.addAgent("stumbling", [{ calls: [missing, missing, missing] }, { text: "They are missing." }]);
  await startThread(page, "stumbling", "Read them.");
  await whenDone(page);
  await page.goto("/traces/problems?q=stumbling");
  await page.getByRole("button", { name: /^read_file fails/ }).click();
  const detail = page.getByRole("complementary", { name: "Problem" });
  await expect(detail.getByText("Fewer than 5 runs. Nothing can be compared.")).toBeVisible();
  await checkAccessibility(page, page.url(), async () => {
    await expect(detail.getByRole("link", { name: "Show its run" })).toBeVisible();
  });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press("Escape");
  await expect(detail).toBeHidden();
  await page.getByRole("button", { name: /^Resolve: read_file fails/ }).click();
  await page.getByRole("radio", { name: /Resolved/ }).check({ force: true });
  await page.getByRole("button", { name: /^read_file fails/ }).click();
  await detail.getByRole("link", { name: "Show its run" }).click();
  await expect(page.getByRole("link", { name: "Read them." })).toBeVisible();
});
