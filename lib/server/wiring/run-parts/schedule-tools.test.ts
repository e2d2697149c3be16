import { afterEach, beforeEach, expect, test } from "vitest";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { listOwned } from "@/lib/server/triggers/schedules/owned-schedules";
import { addAgent } from "@/lib/testing/fixtures/run-fixture";
import { runWith } from "@/lib/testing/scripted/run-with";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { scheduleTools } from "./schedule-tools";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  await addAgent(server.database, "coder", { name: "Coder", model: "scripted:m" });
});
afterEach(() => server.close());

const OWNER = { ownerId: "member", agentId: "coder" };
const IN_A_CHAT = { origin: "channel", originDetails: JSON.stringify({ channel: "telegram", chatId: "7" }) };
const ON_THE_PAGE = { origin: "chat", originDetails: null };

/** What a run from there creates, and what its model reads. */
async function create(origin: typeof IN_A_CHAT | typeof ON_THE_PAGE, more: object = {}) {
  const tools = await scheduleTools(server.services, { ...OWNER, ...origin } as ClaimedRun, { tools: ["schedule"] });
  const args = { action: "create", name: "Brief", when: "every weekday at 9", prompt: "Brief me.", ...more };
  const { events } = await runWith([{ calls: [{ name: "schedule", args }] }, "done"], { tools, hooks: [] });
  const result = events.flatMap((event) => (event.type === "tool.result" ? [event.result] : []))[0];
  const [made] = await listOwned(server.services, OWNER);
  return { text: result?.error ?? result?.output, deliver: made?.deliver };
}

test("a schedule asked for in a chat brings its results to the chat, one asked for on the page to its thread", async () => {
  const chat = await create(IN_A_CHAT);
  expect(chat.deliver).toEqual([{ channel: "last" }]);
  expect(chat.text).toMatch(/Results go to the chat that the user used last\.$/);
  expect((await create(ON_THE_PAGE, { name: "Another brief" })).deliver).toEqual([{ thread: true }]);
});

test("results can go to the user's other places, but not to anybody else's", async () => {
  const both = await create(ON_THE_PAGE, { deliver: ["email", "notify", "email"] });
  expect(both.deliver).toEqual([{ email: true }, { notify: true }]);
  const webhook = await create(ON_THE_PAGE, { name: "Leak", deliver: ["webhook"] });
  expect(webhook.text).toMatch(/deliver/);
  expect(await listOwned(server.services, OWNER)).toHaveLength(1);
});
