import type { StartedReplay } from "@/lib/schema/traces/replay";
import type { TraceList } from "@/lib/schema/traces/trace";
import { startThread, whenDone } from "./support/chat";
import { checkAccessibility } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

const write = (path: string) => ({ name: "write_file", args: { path, content: "one\n" } });

test("A run is replayed from its third step with another prompt, beside a control", async ({ page, installation }) => {
  const recorded = [{ text: "Third.", calls: [write("c.md")] }, { text: "All three are there." }];
  const changed = [{ text: "Third.", calls: [write("other.md")] }];
  const inSandbox = [
    { text: "Third.", calls: [write("other.md")] },
    { text: "I look.", calls: [{ name: "read_file", args: { path: "other.md" } }] },
    { text: "Other files are there." },
  ];
  await installation.addAgent("replayed-runs", [
    { text: "First.", calls: [write("a.md")] },
    { text: "Second.", calls: [write("b.md")] },
    ...recorded,
    ...recorded,
    ...changed,
    ...inSandbox,
    ...recorded,
    ...recorded,
  ]);
  await startThread(page, "replayed-runs", "Write three files.");
  await whenDone(page);
  const listed = await installation.call("GET", "/api/traces?agentId=replayed-runs");
  const [run] = ((await listed.json()) as TraceList).traces;

  const startOne = async () => {
    await dialog.getByRole("radio", { name: "1", exact: true }).check({ force: true });
    await dialog.getByRole("switch", { name: /unchanged as well, once/ }).uncheck({ force: true });
    await dialog.getByRole("button", { name: /Start 1 run/ }).click();
    await page.waitForURL(/\/traces\/replays\//);
  };
  const dialog = page.getByRole("dialog", { name: "Replay from step 3" });

  await page.goto(`/traces/${run?.runId}?layout=tree`);
  await page
    .getByRole("treeitem", { name: /llm\.call/ })
    .nth(2)
    .click();
  await page.getByRole("button", { name: "Replay from step 3" }).click();
  await expect(dialog.getByText("Steps 1 to 2 are not run again.")).toBeVisible();
  await dialog.getByRole("radio", { name: "1", exact: true }).check({ force: true });
  await dialog.getByRole("button", { name: /Start 1 run/ }).click();
  await page.waitForURL(/\/traces\/replays\//);
  await expect(page.getByText("Unchanged, 1 of 1 run made the recorded calls")).toBeVisible();

  await page.getByRole("link", { name: "Replay again" }).click();
  await dialog.getByRole("textbox", { name: "Prompt" }).fill("Write other files.");
  await dialog.getByRole("radio", { name: "1", exact: true }).check({ force: true });
  await expect(dialog.getByText(/^2 runs/)).toBeVisible();
  await dialog.getByRole("switch", { name: /unchanged as well, once/ }).uncheck({ force: true });
  await dialog.getByRole("button", { name: /Start 1 run/ }).click();
  await page.waitForURL(/\/traces\/replays\//);
  await expect(page.getByText("The change made a difference: write_file differs in step 3")).toBeVisible();
  await expect(page.getByText("another prompt")).toBeVisible();
  const table = page.getByRole("table", { name: "Calls of the recording and of all runs" });
  await expect(table.getByText("Steps 1 to 2, taken from the recording")).toBeVisible();
  await expect(table.getByRole("row", { name: /write_file c\.md/ })).toContainText("By the change");
  await checkAccessibility(page, page.url(), async () => {
    await expect(table.getByRole("row", { name: /write_file c\.md/ })).toBeVisible();
  });

  await table.getByRole("link", { name: "Compare run 1 with the recording" }).last().click();
  await page.waitForURL(/\/traces\/compare/);
  await expect(page.getByText("First difference")).toBeVisible();

  await page.goto(`/traces/${run?.runId}?replay=3`);
  await dialog.getByRole("textbox", { name: "Prompt" }).fill("Write other files.");
  await dialog.getByRole("radio", { name: "Sandbox" }).first().check({ force: true });
  await expect(dialog.getByText("They work on a copy of the 2 files as of step 3.")).toBeVisible();
  await startOne();
  await expect(page.getByText("The change made a difference: write_file differs in step 3, and 2 more")).toBeVisible();
  await expect(page.getByText("tools in a sandbox")).toBeVisible();
  await expect(table.getByRole("row", { name: /read_file other\.md/ })).toContainText("By the change");

  await installation.call("PATCH", "/agents/replayed-runs", { system_prompt: "Write three other files." });
  await page.goto(`/traces/${run?.runId}?replay=3`);
  await dialog.getByRole("button", { name: /Version$/ }).click();
  await page.getByRole("option", { name: "v2" }).click();
  await expect(dialog.getByRole("textbox", { name: "Prompt" })).toBeHidden();
  await startOne();
  await expect(page.getByText("version 2", { exact: true })).toBeVisible();
  await expect(page.getByText("The change made no difference: the same calls and the same answer")).toBeVisible();

  await page.goto(`/traces/${run?.runId}?replay=3`);
  await dialog.getByRole("button", { name: /A call$/ }).click();
  await page.getByRole("option", { name: /write_file b\.md/ }).click();
  await dialog.getByRole("radio", { name: "Arguments" }).check({ force: true });
  await dialog.getByRole("textbox", { name: "Its arguments" }).fill('{"path": "d.md", "content": "two"}');
  await expect(dialog.getByText(/^The recording has no result for other arguments/)).toBeVisible();
  await dialog.getByText("One by one").click();
  await dialog.getByRole("button", { name: /Calls of write_file/ }).click();
  await page.getByRole("option", { name: "Sandbox" }).click();
  await expect(dialog.getByText("One by one (1 differs)")).toBeVisible();
  await expect(dialog.getByText(/^The recording has no result/)).toBeHidden();
  await startOne();
  await expect(page.getByText("1 call with other arguments")).toBeVisible();

  const own = await page.request.get("/api/threads?agentId=replayed-runs");
  const { threads } = (await own.json()) as { threads: { id: string }[] };
  expect(threads).toHaveLength(1);
  const files = await page.request.get(`/api/threads/${threads[0]?.id}/files`);
  expect(await files.text()).toContain("c.md");
  expect(await files.text()).not.toContain("other.md");
});

test("The form of a replay is read aloud and used without a mouse", async ({ page, installation }) => {
  await installation.addAgent("replayed-plain", [{ text: "Hello." }, { text: "Hello." }]);
  await startThread(page, "replayed-plain", "Greet me.");
  await whenDone(page);
  const listed = await installation.call("GET", "/api/traces?agentId=replayed-plain");
  const [run] = ((await listed.json()) as TraceList).traces;
  await checkAccessibility(page, `/traces/${run?.runId}?replay=1`, async () => {
    const dialog = page.getByRole("dialog", { name: "Replay from step 1" });
    await expect(dialog).toBeVisible();
    await dialog.getByRole("radio", { name: "Live" }).check({ force: true });
    await expect(dialog.getByRole("switch", { name: /^Really call .*write_file/ })).not.toBeChecked();
    await expect(dialog.getByRole("button", { name: /^Start/ })).toBeDisabled();
  });
  const reply = await installation.call("POST", "/api/replays", { runId: run?.runId });
  const { replayId } = (await reply.json()) as StartedReplay;
  await page.goto(`/traces/replays/${replayId}`);
  await expect(page.getByText("Unchanged, 1 of 1 run made the recorded calls")).toBeVisible();
});
