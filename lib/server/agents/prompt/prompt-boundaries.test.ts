import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { PUT as upload } from "@/app/agents/[id]/files/upload/route";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { PUT as saveFiles } from "@/app/api/agents/[agentId]/prompt-files/route";
import { dailyNotePath } from "@/lib/agent/workspace/memory-kind";
import type { AgentConfigInput } from "@/lib/schema/agents/agent-config";
import { createAgent } from "@/lib/server/agents/publish-version";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";

let server: RunServer;
afterEach(() => server.close());

/** An agent with these files in the member's workspace; the rest of the context engine is off. */
async function start(config: Partial<AgentConfigInput>, files: Readonly<Record<string, string>> = {}): Promise<void> {
  server = await startRunServer([{ text: "ok" }]);
  const raw = { name: "A", model: "scripted:m", guard: { mode: "off" }, backend: { type: "state" }, ...config };
  await createAgent(server.services, { agentId: "a", raw, createdById: null });
  for (const [path, content] of Object.entries(files)) {
    await server.call(upload, { method: "PUT", as: "member", params: { id: "a" }, body: { path, content } });
  }
}

/** The next run's system prompt and the names of the tools it offers. */
async function prompt(content = "hello"): Promise<{ readonly text: string; readonly tools: readonly string[] }> {
  const reply = await server.call(invoke, {
    as: "member",
    params: { id: "a" },
    body: { messages: [{ role: "user", content }] },
  });
  expect(reply.status).toBe(200);
  const { messages = [], tools = [] } = server.provider.requests.at(-1)?.body ?? {};
  const system = messages.filter(({ role }) => role === "system").map((message) => String(message.content));
  return { text: system.join("\n\n"), tools: tools.map((tool) => tool.function.name) };
}

/** Saves the agent's own IDENTITY.md and SOUL.md with these many characters each. */
async function saveIdentity(identity: number, soul: number): Promise<void> {
  const files = { "IDENTITY.md": "i".repeat(identity), "SOUL.md": "s".repeat(soul) };
  const call = { method: "PUT", as: "admin", params: { agentId: "a" }, body: { files } } as const;
  expect((await server.call(saveFiles, call)).status).toBe(200);
}
/** The lengths of the consecutive runs of a letter in a text. */
const runs = (text: string, letter: string) =>
  (text.match(new RegExp(`${letter}{50,}`, "g")) ?? []).map((run) => run.length);

test.each([
  [19_999, [19_999]],
  [20_000, [20_000]],
  [20_001, [14_000, 4_000]],
])("of a bootstrap file of %i characters the prompt has %j", async (length, left) => {
  await start({ prompt: { mode: "full" } });
  await saveIdentity(length, 100);
  const { text } = await prompt();
  expect(runs(text, "i")).toEqual(left);
  expect(text.includes("[... 2001 characters of IDENTITY.md are left out here ...]")).toBe(left.length === 2);
});

test.each([
  [3_999, [3_999]],
  [4_000, [4_000]],
  [4_001, [2_800, 800]],
])("after 20,000 characters of one file a second of %i has %j", async (length, left) => {
  await start({ prompt: { mode: "full" } });
  await saveIdentity(20_000, length);
  expect(runs((await prompt()).text, "s")).toEqual(left);
});

test.each([
  [1_999, [1_999]],
  [2_000, [2_000]],
  [2_001, [1_000, 1_000]],
])("with prompt.files of 2,000 and two halves, of a file of %i characters the prompt has %j", async (length, left) => {
  const files = { max_chars: 2_000, head_ratio: 0.5, tail_ratio: 0.5 };
  await start({ prompt: { mode: "full", files } });
  await saveIdentity(length, 100);
  expect(runs((await prompt()).text, "i")).toEqual(left);
});

/** Skills of one line each; with `weigh`, their list is exactly this many tokens long. */
function skillFiles(count: number, weigh?: number): Record<string, string> {
  const name = (index: number) => `s${String(index).padStart(2, "0")}`;
  const line = (index: number, text: string) =>
    `- [${name(index)}] ${text} → Read skills/${name(index)}/SKILL.md for full instructions`;
  const short = ["Available Skills:", ...Array.from({ length: count }, (_, index) => line(index, "x"))].join(
    "\n",
  ).length;
  const padding = weigh === undefined ? 0 : weigh * 4 - short;
  const each = Math.floor(padding / count);
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const text = "x".repeat(1 + each + (index === 0 ? padding - each * count : 0));
      return [`skills/${name(index)}/SKILL.md`, `---\nname: ${name(index)}\ndescription: ${text}\n---\nDo it.`];
    }),
  );
}

test.each([
  [19, "catalog"],
  [20, "catalog"],
  [21, "search"],
])("%i skills are offered as a %s", async (count, mode) => {
  await start({ skills: { paths: ["skills"] } }, skillFiles(count));
  const { text, tools } = await prompt();
  expect([text.includes("Available Skills:"), tools.includes("skill_search")]).toEqual([
    mode === "catalog",
    mode === "search",
  ]);
});

test.each([
  [3_499, "catalog"],
  [3_500, "catalog"],
  [3_501, "search"],
])("skills whose list takes %i tokens are offered as a %s", async (tokens, mode) => {
  await start({ skills: { paths: ["skills"] } }, skillFiles(20, tokens));
  const { text, tools } = await prompt();
  expect([text.includes("Available Skills:"), tools.includes("skill_search")]).toEqual([
    mode === "catalog",
    mode === "search",
  ]);
});

test.each([
  [1, "catalog"],
  [2, "catalog"],
  [3, "search"],
])("with catalog.max_skills 2, %i skills are offered as a %s", async (count, mode) => {
  await start({ skills: { paths: ["skills"], catalog: { max_skills: 2 } } }, skillFiles(count));
  expect((await prompt()).tools.includes("skill_search")).toBe(mode === "search");
});

test.each([
  [99, "catalog"],
  [100, "catalog"],
  [101, "search"],
])("with catalog.max_tokens 100, skills whose list takes %i are offered as a %s", async (tokens, mode) => {
  await start({ skills: { paths: ["skills"], catalog: { max_tokens: 100 } } }, skillFiles(3, tokens));
  expect((await prompt()).tools.includes("skill_search")).toBe(mode === "search");
});

const DAY_MS = 86_400_000;

test.each([0, 1, 3, 4])("with daily_notes_days %i the prompt has that many days of notes", async (days) => {
  // Midnight must not pass during the test.
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const notes = [0, 1, 2, 3, 4].map((ago) => [dailyNotePath(Date.now() - ago * DAY_MS), `note ${ago}`]);
  await start({ memory: { paths: ["AGENTS.md"], daily_notes_days: days } }, Object.fromEntries(notes));
  const { text } = await prompt();
  expect(text.match(/note \d/g) ?? []).toEqual(["note 0", "note 1", "note 2", "note 3", "note 4"].slice(0, days));
});

test.each([
  [1, 1],
  [2, 2],
  [5, 3],
])("recall of the top %i of three snippets that fit brings %i", async (top, brought) => {
  const notes = ["01", "02", "03"].map((day) => [`memory/202401/202401${day}.md`, `The harbour code was 47${day}.`]);
  await start({ memory: { paths: ["AGENTS.md"], recall: { enabled: true, top } } }, Object.fromEntries(notes));
  expect((await prompt("Which code opens the harbour?")).text.match(/code was 47\d\d/g)).toHaveLength(brought);
});
