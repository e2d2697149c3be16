import { lastReply, send, startThread, whenDone } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

const MEMORY = "# Memory\n\n- Answers in English.\n- Small commits.\n\n## The code\n\n- Tests take 4 minutes.\n";

test.use({ expectedErrors: [/status of 409 .*\/api\/memory/] });

test("Memory that a run changed is blamed down to the span, edited, merged and restored", async ({
  page,
  installation,
}) => {
  test.slow();
  const write = { calls: [{ name: "memory_write", args: { text: `${MEMORY}- The backup runs at 03:10.\n` } }] };
  const prompts: string[] = [];
  await installation.addAgent(
    "archivist",
    [
      write,
      { text: "I wrote it down." },
      ({ messages = [] }) => {
        prompts.push(JSON.stringify(messages[0]));
        return { text: "I looked it up." };
      },
    ],
    { memory: { paths: ["MEMORY.md"] }, tools: ["memory_write", "memory_append"] },
  );
  const text = page.getByRole("textbox", { name: "Text of MEMORY.md" });
  const mode = (name: string) => page.getByRole("button", { name, exact: true });
  const save = page.getByRole("button", { name: /^Save/ });
  const version = (number: number) => page.getByRole("main").getByText(`v${number}`, { exact: true }).first();
  const ownDocument = async () => {
    const reply = await page.request.get("/api/memory?agentId=archivist");
    const { documents } = await reply.json();
    return (await page.request.get(`/api/memory/${documents[0].id}`)).json();
  };

  await test.step("A person begins a document; a run adds a line", async () => {
    await page.goto("/admin/agents/archivist/memory");
    await page.getByRole("button", { name: "Add a document" }).click();
    await page.getByRole("menuitem", { name: "MEMORY.md" }).click();
    await expect(page.getByRole("heading", { name: "MEMORY.md" })).toBeVisible();
    await mode("Plain").click();
    await text.fill(MEMORY);
    await save.click();
    await expect(version(2)).toBeVisible();
    await startThread(page, "archivist", "The backup runs at 03:10");
    await whenDone(page);
  });

  await test.step("Its line says which run wrote it, and opens the step", async () => {
    await page.goto("/admin/agents/archivist/memory");
    await page.getByRole("button", { name: /^MEMORY\.md/ }).click();
    const line = page.getByRole("button", { name: /^Line 9: The backup runs at 03:10/ });
    await expect(page.getByRole("button", { name: /^Lines 2 to 8: Ada Admin/ })).toBeVisible();
    await line.click();
    const story = page.getByRole("region", { name: "The selected lines" });
    await expect(story).toContainText("Written by The backup runs at 03:10, archivist v1");
    await story.getByRole("link", { name: "Open span" }).click();
    await page.waitForURL(/\/traces\/.+span=sp_/);
    await expect(page.getByRole("treeitem", { selected: true })).toContainText("memory_write");
    await page.goBack();
  });

  await test.step("What is typed survives a reload; a run's change in other lines is merged", async () => {
    await mode("Plain").click();
    const typed = (await text.inputValue()).replace("Answers in English.", "Answers in German.");
    await text.fill(typed);
    await page.reload();
    await mode("Plain").click();
    await expect(text).toHaveValue(typed);
    const current = await ownDocument();
    const theirs = current.content.replace("4 minutes", "5 minutes");
    const put = { data: { content: theirs, version: current.version }, headers: { origin: installation.url } };
    expect((await page.request.put(`/api/memory/${current.id}`, put)).status()).toBe(200);
    await page.keyboard.press("Control+s");
    await expect(page.getByText("Ada Admin wrote v4 while you were typing")).toBeVisible();
    await page.getByRole("button", { name: "Merge" }).click();
    await expect(text).toHaveValue(typed.replace("4 minutes", "5 minutes"));
    await save.click();
    await expect(version(5)).toBeVisible();
  });

  await test.step("The next call of the model has what the person wrote", async () => {
    await startThread(page, "archivist", "How do you answer?");
    await whenDone(page);
    await expect(lastReply(page)).toContainText("I looked it up.");
    expect(prompts.at(-1)).toContain("Answers in German.");
    expect(prompts.at(-1)).toContain("Tests take 5 minutes.");
    await send(page, "Thanks");
    await whenDone(page);
  });

  await test.step("A line says in which prompts it was; withdrawn, it is gone until that is undone", async () => {
    await page.goto("/admin/agents/archivist/memory");
    await page.getByRole("button", { name: /^MEMORY\.md/ }).click();
    const line = page.getByRole("region", { name: "MEMORY.md", exact: true }).getByText("- Answers in German.");
    await line.click();
    const used = page.getByRole("region", { name: "Where it was used" });
    await expect(used).toContainText("It was in 2 prompts of 1 thread.");
    await expect(used.getByRole("link", { name: "How do you answer?" })).toBeVisible();
    await expect(page.getByRole("region", { name: "If it is withdrawn" })).toContainText("1 thread changes");
    await page.keyboard.press("Backspace");
    await expect(version(6)).toBeVisible();
    await expect(line).toBeHidden();
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(version(7)).toBeVisible();
    await expect(line).toBeVisible();
  });

  await test.step("An older version is looked at, compared and restored", async () => {
    await page.goto("/admin/agents/archivist/memory");
    await page.getByRole("button", { name: /^MEMORY\.md/ }).click();
    const history = page.getByRole("complementary", { name: "History" });
    await history.getByRole("button", { name: /^v2/ }).click();
    await expect(history.getByRole("group", { name: "Changes in MEMORY.md" })).toContainText("Small commits.");
    await history.getByRole("button", { name: "Restore v2" }).click();
    await expect(version(8)).toBeVisible();
    await expect(history.getByRole("button", { name: /^v8/ })).toContainText("restored v2");
    await page.getByRole("button", { name: "Compare" }).click();
    const dialog = page.getByRole("dialog", { name: "Compare versions of MEMORY.md" });
    await expect(dialog.getByRole("group", { name: "Changes in MEMORY.md" })).toContainText("Answers in German.");
    await page.keyboard.press("Escape");
    await page.keyboard.press("b");
    await expect(text).toHaveValue(MEMORY);
    await page.keyboard.press("b");
  });

  await test.step("Notes are found by day and by words", async () => {
    await page.goto("/admin/agents/archivist/memory?day=2026-11-07");
    await expect(page.getByRole("heading", { name: "No notes on 7 November." })).toBeVisible();
    await page.getByRole("button", { name: "Write a note" }).click();
    await expect(page.getByRole("heading", { name: "memory/202611/20261107.md" })).toBeVisible();
    await expect(page.getByRole("button", { name: "7 November, has notes" })).toHaveAttribute("aria-current", "date");
    await page.keyboard.press("]");
    await expect(page.getByRole("heading", { name: "No notes on 8 November." })).toBeVisible();
    await page.keyboard.press("[");
    await expect(page.getByRole("heading", { name: "memory/202611/20261107.md" })).toBeVisible();
    await page.keyboard.press("/");
    await page.keyboard.type("small commits");
    await page
      .getByRole("list", { name: "Found" })
      .getByRole("button", { name: /MEMORY\.md:4/ })
      .click();
    await expect(page.getByRole("heading", { name: "MEMORY.md" })).toBeVisible();
  });

  await test.step("Deleting can be undone", async () => {
    await page.getByRole("button", { name: "Actions for MEMORY.md" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByRole("button", { name: "Clear search" }).click();
    await page.getByRole("button", { name: /^MEMORY\.md/ }).click();
    await expect(version(10)).toBeVisible();
  });

  const { id } = await ownDocument();
  const line = page.getByRole("region", { name: "MEMORY.md", exact: true }).getByText("- Small commits.");
  const used = page.getByRole("region", { name: "Where it was used" });
  await checkAccessibility(page, `/admin/agents/archivist/memory?document=${id}`, async () => {
    await expect(page.getByRole("button", { name: /^Lines? / }).first()).toBeVisible();
    await line.click();
    await expect(used).toBeVisible();
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await line.click();
  await expect(
    page.getByRole("dialog", { name: "History" }).getByRole("region", { name: "Where it was used" }),
  ).toBeVisible();
  await page.keyboard.press("Escape");
  await checkAccessibility(page, "/admin/agents/archivist/memory", () =>
    expect(page.getByRole("complementary", { name: "Documents" })).toBeVisible(),
  );
});
