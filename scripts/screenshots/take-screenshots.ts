// npm run screenshots: the README's pictures, from a real server whose model answers from a script.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Browser, chromium, devices, type Page } from "@playwright/test";
import { z } from "zod";
import { BOT_TOKEN, ScriptedTelegram } from "@/lib/testing/servers/scripted-telegram";
import { showYaml } from "../../e2e/support/editor";
import { ensureClients } from "../database/generate-clients";
import { projectDirectory } from "../project-directory";
import { ensureBuild } from "../server/build";
import { findChromium } from "../testing/find-chromium";
import { startTestServer } from "../testing/test-server";
import { hostOf, otherScripts, startDesk, startProvider } from "./outside-servers";
import { packPicture } from "./pack-picture";
import { CARDS, CODER, FILES, HANDOFF, MEMBERS, OTHERS, REQUEST } from "./story";

const Thread = z.object({ openRuns: z.array(z.unknown()), latestTraceId: z.string().nullish() });
const Traces = z.object({ traces: z.array(z.object({ thread_id: z.string().nullish(), trace_id: z.string() })) });
const Made = z.object({ id: z.string() });
const LinkCode = z.object({ code: z.string() });
const Links = z.object({ links: z.array(z.object({ chatName: z.string(), runs: z.number() })) });
const Cards = z.object({ tasks: z.array(z.object({ status: z.string() })) });
const Deliveries = z.object({ deliveries: z.array(z.object({ state: z.string() })) });
const TaskFile = z.object({ content: z.string() });
const Firings = z.object({
  firings: z.array(z.object({ runId: z.string().nullable(), endedAt: z.string().nullable() })),
});
const PICTURES = path.join(projectDirectory, "docs/pictures");
const MOST_BYTES = 250_000;
const ACCOUNT = {
  RINGMASTER_ADMIN_EMAIL: "admin@example.org",
  RINGMASTER_ADMIN_PASSWORD: "a-password-for-pictures",
};
const MARA = { name: "Mara Klein", email: "mara@example.org" };
const LOOK_AFTER = `# What to look after
- reviews that wait for me
- CI of main: say so if it is red
- new files in inbox/
<!-- While nothing stands here, no model is called. -->
`;
const DESKTOP = { viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" } as const;
const PHONE = { ...devices["Pixel 7"], viewport: { width: 390, height: 844 }, reducedMotion: "reduce" } as const;

await ensureClients();
await ensureBuild();
mkdirSync(path.join(PICTURES, "automation"), { recursive: true });
const held = Promise.withResolvers<void>();
const provider = await startProvider(held.promise);
const telegram = await new ScriptedTelegram().start();
const desk = await startDesk();
const server = await startTestServer({
  ...ACCOUNT,
  RINGMASTER_SCRIPTED_MODEL_URL: provider.url,
  RINGMASTER_ALLOWED_PRIVATE_HOSTS: `${telegram.host},${hostOf(desk)}`,
});
try {
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ["--no-sandbox", "--disable-quic", "--disable-background-networking", "--force-color-profile=srgb"],
  });
  await takeAll(browser).finally(() => browser.close());
} finally {
  await server.stop();
  await telegram.close();
  desk.close();
  await provider.close();
}

async function takeAll(browser: Browser): Promise<void> {
  const context = await browser.newContext({ ...DESKTOP, baseURL: server.url, colorScheme: "light" });
  const page = await context.newPage();
  await signIn(page, ACCOUNT.RINGMASTER_ADMIN_EMAIL);
  await call(page, "POST", "/api/users", { ...MARA, password: ACCOUNT.RINGMASTER_ADMIN_PASSWORD, role: "admin" });
  await context.clearCookies();
  await signIn(page, MARA.email);
  const threadId = await makeContent(page);
  const phone = await browser.newContext({ ...PHONE, baseURL: server.url, storageState: await context.storageState() });
  await takeChat(page, threadId);
  await takePhone(await phone.newPage(), threadId);
  await takeTraces(page, threadId);
  await takeAgent(page);
  await takeSchedules(page);
  await takeHeartbeat(page);
  await takeNotifications(page);
  await takeChannels(page);
  await takeWebhooks(page);
  await takeBoard(page);
  await takeHandoff(page);
  await takeProject(page);
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto("/");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(ACCOUNT.RINGMASTER_ADMIN_PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "What can I help with?" }).waitFor();
}

/** Threads in several states, and the one that the pictures show, in the middle of its run. */
async function makeContent(page: Page): Promise<string> {
  await call(page, "POST", "/agents", { agent_id: "coder", ...CODER, model: "scripted:coder" });
  await call(page, "PATCH", "/agents/coder", { max_iterations: 25 });
  for (const [id] of otherScripts()) {
    const agent = { name: id, model: `scripted:${id}`, tools: ["calculate"], backend: { type: "state" } };
    await call(page, "POST", "/agents", { agent_id: id, ...agent, max_iterations: 2 });
  }
  for (const [agentId, request] of OTHERS) await ended(page, await send(page, agentId, request));
  for (const [name, content] of Object.entries(FILES))
    await call(page, "PUT", "/agents/coder/files/upload", { path: name, content });
  const threadId = await send(page, "coder", REQUEST);
  await call(page, "PATCH", `/api/threads/${threadId}`, { title: "Fix the failing date-range test" });
  return threadId;
}

async function send(page: Page, agentId: string, content: string): Promise<string> {
  const { id } = Made.parse(await call(page, "POST", "/api/threads", { agentId }));
  await call(page, "POST", `/api/threads/${id}/messages`, { content });
  return id;
}

async function ended(page: Page, threadId: string): Promise<void> {
  for (;;) {
    const { openRuns } = Thread.parse(await call(page, "GET", `/api/threads/${threadId}`));
    if (openRuns.length === 0) return;
    await sleep(100);
  }
}

/** Throws unless the status is 2xx; returns the JSON. */
async function call(page: Page, method: string, address: string, data?: object) {
  const reply = await page.request.fetch(address, { method, data, headers: { origin: server.url } });
  if (!reply.ok()) throw new Error(`${method} ${address}: ${reply.status()} ${await reply.text()}`);
  return reply.status() === 204 ? null : await reply.json();
}

async function takeChat(page: Page, threadId: string): Promise<void> {
  await page.goto(`/threads/${threadId}`);
  await page.getByRole("button", { name: /^edit_file/ }).waitFor();
  await page.getByText("exit 0").waitFor();
  await page.getByRole("textbox", { name: "Message", exact: true }).fill("Then add a line to the changelog");
  await page.keyboard.press("Enter");
  await page.getByText("Next 1", { exact: true }).waitFor();
  await page.getByRole("button", { name: /^edit_file/ }).click();
  await inBoth(page, "chat");
}

async function takePhone(page: Page, threadId: string): Promise<void> {
  await page.goto(`/threads/${threadId}`);
  await page.getByRole("button", { name: /^edit_file/ }).click();
  await inBoth(page, "chat-phone");
}

async function takeTraces(page: Page, threadId: string): Promise<void> {
  await page.goto("/traces");
  await page.getByText("Running").first().waitFor();
  await inBoth(page, "traces");
  held.resolve();
  await ended(page, threadId);
  const { latestTraceId } = Thread.parse(await call(page, "GET", `/api/threads/${threadId}`));
  const { traces } = Traces.parse(await call(page, "GET", "/agents/traces"));
  const first = traces.filter((trace) => trace.thread_id === threadId).at(-1);
  await page.goto(`/traces/${first?.trace_id ?? latestTraceId}`);
  await page
    .getByRole("treeitem", { name: /llm\.call/ })
    .nth(2)
    .click();
  await page.getByRole("complementary", { name: "Span" }).getByText("edit_file").first().waitFor();
  await inBoth(page, "trace");
}

async function takeAgent(page: Page): Promise<void> {
  await page.goto("/admin/agents/coder");
  await showYaml(page);
  await page.getByText("valid", { exact: true }).waitFor();
  await inBoth(page, "agent");
}

async function takeSchedules(page: Page): Promise<void> {
  const times = { timezone: "Europe/Berlin" };
  const schedules = [
    { agentId: "writer", name: "Release notes", cron: "0 9 * * 1-5", prompt: "Draft the notes of what landed." },
    { agentId: "analyst", name: "Open invoices", every: "6h", prompt: "Which invoices are due this week?" },
    { agentId: "coder", name: "Nightly tests", cron: "30 2 * * *", prompt: "Run all tests and report what fails." },
  ];
  for (const [index, schedule] of schedules.entries()) {
    const { id } = Made.parse(await call(page, "POST", "/api/schedules", { ...times, ...schedule }));
    for (let run = index; run < 2; run += 1) {
      await call(page, "POST", `/api/schedules/${id}/run`);
      await ranOut(page, `/api/schedules/${id}`);
    }
    if (index === 2) await call(page, "PATCH", `/api/schedules/${id}`, { enabled: false });
  }
  await page.goto("/automations/schedules");
  await page.getByRole("row").filter({ hasText: "Release notes" }).getByRole("img", { name: "Completed" }).waitFor();
  await inBoth(page, "schedules");
}

/** Beats with and without a model call: a new file leads to one, otherwise the beat ends before it. */
async function takeHeartbeat(page: Page): Promise<void> {
  await call(page, "POST", "/agents", {
    agent_id: "ops",
    name: "ops",
    model: "scripted:ops",
    backend: { type: "state" },
  });
  const fields = { agentId: "ops", active: null, when: [{ file: "inbox/**" }], budget: { day_usd: 0.25 } };
  const { id } = Made.parse(await call(page, "POST", "/api/heartbeats", fields));
  const { content: before } = TaskFile.parse(await call(page, "GET", `/api/heartbeats/${id}/file`));
  await call(page, "PUT", `/api/heartbeats/${id}/file`, { content: LOOK_AFTER, before });
  for (let beat = 0; beat < 40; beat += 1) {
    if (beat % 5 === 2)
      await call(page, "PUT", "/agents/ops/files/upload", { path: `inbox/${beat}.txt`, content: "An invoice." });
    await call(page, "POST", `/api/heartbeats/${id}/run`);
    await ranOut(page, `/api/heartbeats/${id}`);
  }
  await page.goto("/automations/heartbeats");
  await page.getByRole("toolbar").getByRole("button").nth(39).waitFor();
  await inBoth(page, "heartbeat");
}

async function takeNotifications(page: Page): Promise<void> {
  const ways = { decision: { page: true, push: true }, finished: { push: true }, failed: { page: true, push: true } };
  const quietHours = { from: "20:00", to: "08:00", decisionsPass: true };
  await call(page, "PATCH", "/api/me", { timeZone: "Europe/Berlin" });
  await call(page, "PATCH", "/api/notifications", { ways, quietHours, words: "full" });
  await page.goto("/settings/notifications");
  await page.getByRole("checkbox", { name: "Needs my decision: Push" }).waitFor();
  await inBoth(page, "notifications");
}

/** A bot with two chats and a group, a stranger who is turned away, and a code that was not entered yet. */
async function takeChannels(page: Page): Promise<void> {
  const bot = { kind: "telegram", name: "Lab", agentId: "analyst", token: BOT_TOKEN, apiRoot: telegram.url };
  const channel = Made.parse(await call(page, "POST", "/api/channels", bot));
  await call(page, "POST", `/api/channels/${channel.id}/test`);
  const newCode = async () =>
    LinkCode.parse(await call(page, "POST", "/api/channel-links", { channelId: channel.id })).code;
  const mara = { id: 11, first_name: "Mara", last_name: "Klein", username: "maraklein" };
  telegram.say({ from: { id: 12, first_name: "Zoe" }, text: "Hello?" });
  telegram.say({ from: mara, text: await newCode() });
  const told = (chatId: number, count: number) => until(() => telegram.sentTo(chatId).length >= count);
  await told(11, 1);
  telegram.say({ from: mara, text: "Which customers have two open invoices?" });
  await told(11, 2);
  const office = { id: -13, title: "Office, 7 people" };
  telegram.say({ from: mara, group: office, text: "@ringmaster_lab_bot compare the totals" });
  await told(-13, 1);
  await newCode();
  await until(async () => {
    const { links } = Links.parse(await call(page, "GET", "/api/channel-links"));
    return links.length === 2 && links.every(({ runs }) => runs > 0);
  });
  await page.goto("/automations/channels");
  await page.getByRole("row", { name: /Office/ }).waitFor();
  await page.getByText("Connected").waitFor();
  await inBoth(page, "automation/channels");
  await takeSlack(page);
}

/** What an administrator writes for a bot in Slack. */
async function takeSlack(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Add bot" }).click();
  const dialog = page.getByRole("dialog", { name: "Add bot" });
  await dialog.getByText("Slack", { exact: true }).click();
  await dialog.getByRole("textbox", { name: "Name" }).fill("Team");
  await inBoth(page, "automation/slack");
  await page.keyboard.press("Escape");
}

/** A board whose cards are done, to be accepted, failed, and waiting for others. */
async function takeBoard(page: Page): Promise<void> {
  for (const id of Object.keys(MEMBERS)) {
    const agent = { name: id, model: `scripted:${id}`, backend: { type: "state" } };
    await call(page, "POST", "/agents", { agent_id: id, ...agent });
  }
  const fields = { goal: "The notes of release 2.9, in two languages.", members: [...Object.keys(MEMBERS), "counter"] };
  const board = { name: "Release 2.9 notes", review: "person", budget: { usd: 5 }, ...fields };
  const { id } = Made.parse(await call(page, "POST", "/api/boards", board));
  const address = `/api/boards/${id}/tasks`;
  const states = async () => Cards.parse(await call(page, "GET", address)).tasks.map(({ status }) => status);
  const ids: string[] = [];
  for (const { title, assignee, after } of CARDS) {
    const dependsOn = after === null ? [] : [ids[after]];
    ids.push(Made.parse(await call(page, "POST", address, { title, assignee, dependsOn })).id);
  }
  await until(async () => {
    const [first = "", second = ""] = await states();
    return first === "review" && ["review", "failed"].includes(second);
  });
  await call(page, "POST", `${address}/${ids[0]}/review`, { accept: true });
  await until(async () => (await states())[2] === "review");
  await page.goto(`/automations/boards/${id}`);
  await page.getByRole("region", { name: "Review" }).getByRole("button", { name: "Accept" }).first().waitFor();
  await inBoth(page, "boards");
}

/** A conversation that was handed over, with who answers now. */
async function takeHandoff(page: Page): Promise<void> {
  for (const [id, fields] of Object.entries(HANDOFF.agents).toReversed()) {
    const agent = { name: id, model: `scripted:${id}`, backend: { type: "state" } };
    await call(page, "POST", "/agents", { agent_id: id, ...agent, ...fields });
  }
  const [first, second] = HANDOFF.requests;
  const threadId = await send(page, "triage", first);
  await ended(page, threadId);
  await call(page, "PATCH", `/api/threads/${threadId}`, { title: "Refund for order 4471" });
  await call(page, "POST", `/api/threads/${threadId}/messages`, { content: second });
  await page.goto(`/threads/${threadId}`);
  await page.getByText("I have booked 412.60 euros back").waitFor();
  await ended(page, threadId);
  await page.getByText("Can also be handed to").waitFor();
  await inBoth(page, "automation/handoff");
}

/** One webhook that starts runs and one that tells of them: deliveries that arrived, and one that is given up. */
async function takeWebhooks(page: Page): Promise<void> {
  const issues = { direction: "in", agentId: "analyst", name: "github-issues", signature: "github" };
  await call(page, "POST", "/api/webhooks", { ...issues, prompt: "Say what {{/issue/title}} is about." });
  const url = `http://${hostOf(desk)}/hooks/ringmaster`;
  const events = ["run.completed", "run.failed", "run.limit", "approval.requested"];
  const webhook = Made.parse(
    await call(page, "POST", "/api/webhooks", { direction: "out", name: "release-desk", url, events }),
  );
  await ended(page, await send(page, "writer", "Shorten the welcome mail once more"));
  const sent = (count: number) => async () => {
    const { deliveries } = Deliveries.parse(await call(page, "GET", `/api/deliveries?webhookId=${webhook.id}`));
    return deliveries.filter(({ state }) => state !== "pending").length >= count;
  };
  await until(sent(1));
  for (const event of ["approval.requested", "run.limit"])
    await call(page, "POST", `/api/webhooks/${webhook.id}/test`, { event });
  await until(sent(3));
  await page.goto(`/automations/webhooks?webhook=${webhook.id}`);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("region", { name: "What came back" }).getByText("202", { exact: true }).waitFor();
  await page.getByRole("button", { name: /^Dead letter/ }).click();
  await page.getByRole("region", { name: "Deliveries" }).getByText("503", { exact: true }).waitFor();
  await inBoth(page, "automation/webhooks");
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(100);
}

/** Until none of the runs it started is active. */
async function ranOut(page: Page, address: string): Promise<void> {
  for (;;) {
    const { firings } = Firings.parse(await call(page, "GET", `${address}/firings`));
    if (firings.every(({ runId, endedAt }) => runId === null || endedAt !== null)) return;
    await sleep(100);
  }
}

async function takeProject(page: Page): Promise<void> {
  const { id } = Made.parse(
    await call(page, "POST", "/api/projects", {
      name: "Billing move",
      description: "From the old invoices to the new ones",
      instructions: "Amounts are in euros. Name the table and the column that a figure comes from.",
      agentId: "analyst",
    }),
  );
  const requests = ["Which customers have two open invoices?", "Compare the totals of both systems for October"];
  for (const content of requests) {
    const thread = Made.parse(await call(page, "POST", "/api/threads", { agentId: "analyst", projectId: id }));
    await call(page, "POST", `/api/threads/${thread.id}/messages`, { content });
    await ended(page, thread.id);
  }
  await page.goto(`/projects/${id}`);
  await page
    .getByRole("link", { name: /Compare the totals/ })
    .first()
    .waitFor();
  await inBoth(page, "project");
}

async function inBoth(page: Page, name: string): Promise<void> {
  await page.mouse.move(700, 5);
  for (const [colorScheme, file] of [
    ["light", `${name}.png`],
    ["dark", `${name}-dark.png`],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.locator(`html.${colorScheme}`).waitFor();
    await page.evaluate(() => document.fonts.ready);
    const picture = path.join(PICTURES, file);
    const bytes = packPicture(await page.screenshot({ animations: "disabled", scale: "css" }));
    writeFileSync(picture, bytes);
    const size = bytes.length;
    if (size > MOST_BYTES) throw new Error(`${file} has ${size} bytes, more than ${MOST_BYTES}`);
    process.stdout.write(`${file} ${Math.round(size / 1_000)} kB\n`);
  }
}
