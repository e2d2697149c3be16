import type { TraceList } from "@/lib/schema/traces/trace";
import { startThread, whenDone } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

const write = (path: string, content: string) => ({ name: "write_file", args: { path, content } });

test("A run is read as one text, found in, and shown as it was at each step", async ({ page, installation }) => {
  await installation.addAgent("read-in-order", [
    { text: "I note it.", calls: [write("notes.md", "first line\n")] },
    {
      text: "And better.",
      calls: [write("notes.md", "second line\n"), { name: "read_file", args: { path: "none.md" } }],
    },
    { text: "It is noted." },
  ]);
  await startThread(page, "read-in-order", "Note the first line.");
  await whenDone(page);
  const listed = await installation.call("GET", "/api/traces?agentId=read-in-order");
  const [trace] = ((await listed.json()) as TraceList).traces;
  const address = `/traces/${trace?.runId}`;

  await page.goto(address);
  await page.getByRole("radio", { name: "Read" }).click();
  const text = page.getByRole("region", { name: "Text of the run" });
  await expect(text.getByText("Note the first line.")).toBeVisible();
  await page.keyboard.press("e");
  await expect(page.getByRole("navigation", { name: "Steps" }).locator('[aria-current="true"]')).toContainText(
    "Step 2",
  );
  await page.keyboard.press("/");
  await page.keyboard.type("first line");
  // Enter before typing has settled searches, and after it goes on to the next hit.
  await expect(page.getByText("1 of 2")).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByText("2 of 2")).toBeVisible();
  await expect(text.getByRole("button", { name: "write_file notes.md", expanded: true })).toHaveCount(1);

  // The choice stays for the next trace.
  await page.goto(address);
  await expect(page.getByRole("radio", { name: "Read" })).toBeChecked();
  await checkAccessibility(page, `${address}?layout=read&q=second`, async () => {
    await expect(page.getByText("1 of 1")).toBeVisible();
  });

  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${address}?layout=state`);
  await expect(page.getByRole("slider", { name: "Step" })).toHaveAttribute("aria-valuetext", "the end, 4 of 4");
  await page.keyboard.press("ArrowLeft");
  await expect(page.getByRole("group", { name: "Changes in notes.md" })).toContainText("second line");
  await page.keyboard.press("d");
  await expect(page.getByRole("region", { name: "notes.md" })).not.toContainText("first line");
  await page.keyboard.press("ArrowLeft");
  await expect(page.getByRole("region", { name: "notes.md" })).toContainText("first line");
  await checkAccessibility(page, `${address}?layout=state&step=3`, async () => {
    await expect(page.getByRole("group", { name: "Changes in notes.md" })).toContainText("second line");
  });
});

test("A note is written on a span by keys alone, is seen in another tab, and comes back when its deletion is undone", async ({
  page,
  context,
  installation,
}) => {
  await installation.addAgent("noted-run", [
    { text: "I note it.", calls: [write("noted.md", "first line\n")] },
    { text: "It is noted." },
  ]);
  await startThread(page, "noted-run", "Note the first line.");
  await whenDone(page);
  const listed = await installation.call("GET", "/api/traces?agentId=noted-run");
  const [trace] = ((await listed.json()) as TraceList).traces;
  const address = `/traces/${trace?.runId}`;

  await page.goto(`${address}?layout=waterfall`);
  await page.getByRole("treeitem", { name: /write_file/ }).click();
  await page.keyboard.press("n");
  await expect(page.getByText("No notes on this span yet.", { exact: false })).toBeVisible();
  await expect(page.getByRole("textbox", { name: "New note on this span" })).toBeFocused();
  const opened = new URL(page.url());
  const other = await context.newPage();
  await other.goto(opened.href);
  await expect(other.getByText("No notes on this span yet.", { exact: false })).toBeVisible();
  await page.bringToFront();
  await page.keyboard.type("Why **twice**?");
  await page.keyboard.press("ControlOrMeta+Enter");
  const note = page.getByRole("list", { name: "Notes on this span" }).getByRole("listitem");
  await expect(note).toContainText("Why twice?");
  await expect(other.getByRole("list", { name: "Notes on this span" })).toContainText("Why twice?");
  await other.close();
  const counted = page.getByRole("treeitem").filter({ has: page.getByRole("img", { name: "1 note" }) });
  await expect(counted).toHaveCount(1);
  await expect(counted).toContainText("write_file");

  await page.getByRole("button", { name: "Delete note" }).click();
  await expect(note).toHaveCount(0);
  const notices = page.getByRole("region", { name: "Notifications" });
  await notices.getByRole("button", { name: "Undo" }).click();
  await expect(note).toHaveCount(1);
  await checkAccessibility(page, opened.pathname + opened.search, async () => {
    await expect(note).toContainText("Why twice?");
  });
  await checkAccessibility(page, `${address}?layout=read`, async () => {
    await expect(page.getByRole("region", { name: "Text of the run" })).toContainText("Why twice?");
  });
});
