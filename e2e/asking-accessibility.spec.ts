import type { Page } from "@playwright/test";
import { lastReply, startThread, whenDone } from "./support/chat";
import { checkAccessibility as check } from "./support/check-accessibility";
import { expect, test } from "./support/journey";

const PERMISSIONS = { enabled: true, mode: "accept_edits", ask: ["write_file", "edit_file"], approval_ttl_hours: 48 };
const write = (path: string) => ({ name: "write_file", args: { path, content: `# ${path}\n\nhello\n` } });
const YEAR = { question: "Which year?", options: ["fiscal", "calendar"] };
const QUESTIONS = [
  YEAR,
  { question: "Which parts?", options: ["north", "south", "west"], multiple: true },
  { question: "Who reads it?" },
  { question: "Anything else?" },
];

const card = (page: Page) => page.getByRole("region", { name: "Approval: write_file" }).first();
const threadOf = (page: Page) => new URL(page.url()).pathname;

/** Decides on everything that waits in the thread on the page, in the order of asking. */
async function decideAll(page: Page, decisions: readonly object[]): Promise<void> {
  const threadId = threadOf(page).split("/").at(-1);
  const { approvals } = await (await page.request.get(`/api/approvals?threadId=${threadId}`)).json();
  expect(approvals).toHaveLength(decisions.length);
  for (const [index, { runId, toolCallId }] of approvals.entries()) {
    const reply = await page.request.post(`/api/runs/${runId}/decisions`, {
      data: { decisions: [{ tool_call_id: toolCallId, ...decisions[index] }] },
      headers: { origin: new URL(page.url()).origin },
    });
    expect(reply.status()).toBe(200);
  }
}

test("Approvals are accessible while they wait, are edited, are denied, and once they are decided", async ({
  page,
  installation,
}) => {
  test.slow();
  const calls = ["a.md", "b.md", "c.md"].map(write);
  await installation.addAgent("asks-often", [{ text: "Three files.", calls }, { text: "Done." }], {
    permissions: PERMISSIONS,
  });
  await startThread(page, "asks-often", "Write three files");
  await expect(card(page)).toBeVisible();
  const thread = threadOf(page);
  await check(page, thread, () => expect(card(page).getByText(/expires in/)).toBeVisible());
  await check(page, thread, async () => {
    await card(page).getByRole("button", { name: "Edit" }).click();
    await expect(card(page).getByRole("textbox", { name: "Arguments as JSON" })).toBeVisible();
  });
  await check(page, thread, async () => {
    await card(page).getByRole("button", { name: /^Deny/ }).click();
    await expect(card(page).getByRole("textbox", { name: /Why not/ })).toBeVisible();
  });
  await check(page, "/inbox", () => expect(card(page)).toBeVisible());
  await page.goto(thread);
  const changed = { path: "b.md", content: "mine" };
  await decideAll(page, [
    { decision: "allow", scope: "thread" },
    { decision: "edit", args: changed },
    { decision: "deny", reason: "Not this one." },
  ]);
  await whenDone(page);
  await check(page, thread, async () => {
    await expect(lastReply(page).getByText(/^Denied by .*, in the thread/)).toBeVisible();
    await expect(lastReply(page).getByText("denied", { exact: true })).toBeVisible();
    await page.getByText("What the model asked for").click();
  });
  await check(page, "/inbox/grants", async () => {
    await page
      .getByRole("button", { name: /write_file a\.md/ })
      .first()
      .click();
  });
});

test("Questions are accessible, one and four at once, and once they are answered", async ({ page, installation }) => {
  test.slow();
  const ask = (questions: readonly object[]) => ({ calls: [{ name: "ask_user", args: { questions } }] });
  await installation.addAgent("asks-questions", [ask([YEAR]), ask(QUESTIONS), { text: "Thank you." }], {
    tools: ["ask_user"],
  });
  await startThread(page, "asks-questions", "Ask me");
  await expect(page.getByRole("radio", { name: "fiscal" })).toBeVisible();
  const thread = threadOf(page);
  await check(page, thread, () => page.getByRole("radio", { name: "fiscal" }).check());
  await page.goto(thread);
  await decideAll(page, [{ decision: "answer", answers: ["neither"] }]);
  await check(page, thread, () => page.getByRole("checkbox", { name: "north" }).check());
  await page.goto(thread);
  await decideAll(page, [{ decision: "answer", answers: ["fiscal", ["north"], "Mara", "no"] }]);
  await expect(await whenDone(page)).toContainText("Thank you.");
  await check(page, thread, () => expect(page.getByText(/^Answered by /).first()).toBeVisible());
});

test("What a subagent asks, its card and its dialog are accessible", async ({ page, installation }) => {
  test.slow();
  const task = { name: "task", args: { agent: "writer", description: "Write the notes", prompt: "Write" } };
  await installation.addAgent(
    "delegates-asks",
    [{ text: "I hand it on.", calls: [task] }, { calls: [write("notes.md")] }, { text: "Written." }, { text: "Done." }],
    { permissions: PERMISSIONS, subagents: [{ name: "writer", description: "Writes", prompt: "You write." }] },
  );
  await startThread(page, "delegates-asks", "Have it written");
  await expect(card(page)).toBeVisible();
  const thread = threadOf(page);
  await check(page, thread, () => expect(card(page).getByText("subagent writer")).toBeVisible());
  await check(page, thread, async () => {
    await page.getByRole("button", { name: /^task.*Write the notes/ }).click();
    await expect(page.getByRole("dialog").getByText("write_file").first()).toBeVisible();
  });
  await page.goto(thread);
  await decideAll(page, [{ decision: "deny", reason: "Not now." }]);
  await expect(await whenDone(page)).toContainText("Done.");
});

test("Trying a call on an agent's rules is accessible", async ({ page, installation }) => {
  const permissions = { ...PERMISSIONS, deny: [{ tool: "write_file", args: { path: "secrets/**" } }] };
  await installation.addAgent("asks-rules", [{ text: "hi" }], { permissions });
  await check(page, "/admin/agents/asks-rules", async () => {
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Try a call" }).click();
    await page.getByRole("textbox", { name: "Tool" }).fill("Write");
    await page.getByRole("textbox", { name: /Arguments/ }).fill('{"file_path": "/workspace/secrets/a.txt"}');
    await page.getByRole("button", { name: "Check the rules" }).click();
    await expect(page.getByRole("region", { name: "Verdict" })).toContainText("Not allowed");
  });
});
