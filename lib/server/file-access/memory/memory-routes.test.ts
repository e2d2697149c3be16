import { afterEach, beforeEach, expect, test } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { GET as blame } from "@/app/api/memory/[id]/blame/route";
import { GET as diff } from "@/app/api/memory/[id]/diff/route";
import { POST as restore } from "@/app/api/memory/[id]/restore/route";
import { GET as get, DELETE as remove, PUT as save } from "@/app/api/memory/[id]/route";
import { GET as versions } from "@/app/api/memory/[id]/versions/route";
import { GET as days } from "@/app/api/memory/days/route";
import { POST as create, GET as list } from "@/app/api/memory/route";
import { GET as search } from "@/app/api/memory/search/route";
import type { AgentConfigInput } from "@/lib/schema/agents/agent-config";
import type { MemoryBlame, MemoryDetail, MemoryDocument } from "@/lib/schema/files/memory";
import type { Role } from "@/lib/schema/users/user";
import { createAgent } from "@/lib/server/agents/publish-version";
import { storeBlob } from "@/lib/server/files/blobs";
import type { Route } from "@/lib/server/http/route";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import type { ScriptedAnswer } from "@/lib/testing/servers/scripted-openai-events";
import type { ChatRequestBody } from "@/lib/testing/servers/scripted-openai-server";

let server: RunServer;
let script: (request: ChatRequestBody) => Promise<ScriptedAnswer>;

beforeEach(async () => {
  server = await startRunServer((request) => script(request));
  script = async () => ({ text: "ok" });
  await agent("ada", {});
});
afterEach(() => server.close());

async function agent(agentId: string, config: Partial<AgentConfigInput>): Promise<void> {
  const raw = {
    name: `Agent ${agentId}`,
    model: "scripted:m",
    backend: { type: "state" as const },
    memory: { paths: ["AGENTS.md"] },
    tools: ["memory_write"],
    ...config,
  };
  await createAgent(server.services, { agentId, raw, createdById: null });
}

async function call<Body = MemoryDetail>(
  route: Route,
  { as = "member", id, ...rest }: { as?: Role; id?: string; body?: unknown; method?: string; path?: string } = {},
): Promise<{ status: number; body: Body }> {
  const reply = await server.call(route, { as, ...(id === undefined ? {} : { params: { id } }), ...rest });
  return { status: reply.status, body: reply.status === 204 ? null : await reply.json() };
}

interface Failure {
  readonly error: { readonly code: string; readonly details: { readonly current: MemoryDetail | null } };
}

const write = (path: string, content: string, as: Role = "member", more: object = {}) =>
  call(create, { as, body: { agentId: "ada", path, content, ...more } });
const put = <Body = MemoryDetail>(id: string, content: string, version: number, as: Role = "member") =>
  call<Body>(save, { as, id, method: "PUT", body: { content, version } });

/** Runs the agent once as the member; the run replaces MEMORY.md. */
async function runThatWrites(text: string): Promise<void> {
  let calls = 0;
  script = async () =>
    ++calls === 1 ? { calls: [{ name: "memory_write", args: { text } }] } : { text: "Remembered." };
  const body = { messages: [{ role: "user", content: "remember this" }] };
  expect((await server.call(invoke, { as: "member", params: { id: "ada" }, body })).status).toBe(200);
}

test("a document that a person creates is listed, read, changed with its version, and deleted", async () => {
  const { status, body: made } = await write("MEMORY.md", "# Memory\n\n- tea  \n");
  expect(status).toBe(201);
  expect(made).toMatchObject({ path: "MEMORY.md", kind: "long_term", version: 1, content: "# Memory\n\n- tea  \n" });
  const { body } = await call<{ documents: MemoryDocument[]; nextCursor: null }>(list);
  const facts = { agentId: "ada", agentName: "Agent ada", userId: "member", userName: "The member", sizeChars: 18 };
  expect(body).toMatchObject({ documents: [{ id: made.id, ...facts }], nextCursor: null });
  expect(body.documents[0]?.updatedBy).toEqual({ author: "user", name: "The member", runId: null });
  expect(await put(made.id, "coffee\n", 1)).toMatchObject({ status: 200, body: { version: 2, content: "coffee\n" } });
  expect((await put(made.id, "coffee\n", 2)).body.version).toBe(2);
  expect((await call(remove, { id: made.id, method: "DELETE" })).status).toBe(204);
  expect((await call(get, { id: made.id })).status).toBe(404);
  expect((await call(remove, { id: made.id, method: "DELETE" })).status).toBe(404);
  expect((await call<{ documents: [] }>(list)).body.documents).toEqual([]);
  expect(await call(restore, { id: made.id, body: { version: 1 } })).toMatchObject({
    status: 200,
    body: { version: 4, content: "# Memory\n\n- tea  \n" },
  });
});

test("a change from an older version is refused with the current document, and nothing is lost", async () => {
  const { body: made } = await write("MEMORY.md", "one\n");
  await put(made.id, "two\n", 1);
  const { status, body } = await put<Failure>(made.id, "mine\n", 1);
  expect([status, body.error.code]).toEqual([409, "conflict"]);
  expect(body.error.details.current).toMatchObject({ version: 2, content: "two\n", updatedBy: { author: "user" } });
  expect((await call(get, { id: made.id })).body.content).toBe("two\n");
  await call(remove, { id: made.id, method: "DELETE" });
  expect((await put<Failure>(made.id, "mine\n", 2)).body.error.details.current).toBeNull();
  expect((await write("MEMORY.md", "again\n")).status).toBe(201);
  expect((await write("MEMORY.md", "twice\n")).status).toBe(409);
});

test("of ten changes of one version at once, one is kept and nine are refused", async () => {
  const { body: made } = await write("MEMORY.md", "start\n");
  const replies = await Promise.all(Array.from({ length: 10 }, (_, at) => put(made.id, `text ${at}\n`, 1)));
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)]);
  expect((await call(get, { id: made.id })).body.version).toBe(2);
});

test("blame gives each line the version, the author, the run and the span that it came with", async () => {
  const { body: made } = await write("MEMORY.md", "# Memory\n- tea\n- morning\n");
  await runThatWrites("# Memory\n- tea\n- Berlin time\n- morning");
  const current = (await call(get, { id: made.id })).body;
  expect(current).toMatchObject({ version: 2, updatedBy: { author: "agent" } });
  await put(made.id, current.content.replace("- tea", "- coffee"), 2, "admin");
  const { body: lines } = await call<MemoryBlame>(blame, { id: made.id });
  expect(lines.map(({ line, text, version, author }) => [line, text, version, author])).toEqual([
    [1, "# Memory", 1, "user"],
    [2, "- coffee", 3, "user"],
    [3, "- Berlin time", 2, "agent"],
    [4, "- morning", 1, "user"],
  ]);
  const run = await server.database.run.findFirstOrThrow();
  expect(lines[2]).toMatchObject({ runId: run.id, at: expect.stringMatching(/^\d{4}-/) });
  const span = () => server.database.span.findUnique({ where: { id: lines[2]?.spanId ?? "" } });
  await expect.poll(span).toMatchObject({ runId: run.id, type: "tool" });
  expect(Object.keys(lines[0] ?? {})).not.toContain("runId");
  expect(lines.map(({ authorName }) => authorName)).toEqual(["The member", "The admin", "The member", "The member"]);
  expect((await call<MemoryBlame>(blame, { id: made.id })).body).toEqual(lines);
});

test("versions name the run and what was restored; restoring makes a new version", async () => {
  const { body: made } = await write("MEMORY.md", "one\n");
  await runThatWrites("two");
  const restored = await call(restore, { id: made.id, body: { version: 1 } });
  expect(restored.body).toMatchObject({ version: 3, content: "one\n" });
  const { body } = await call<{ versions: object[]; nextCursor: string | null }>(versions, { id: made.id });
  const run = { title: "remember this", agentVersion: 1, isFlush: false, isOwn: true };
  expect(body).toMatchObject({
    versions: [
      { version: 3, author: "user", restoredVersion: 1, run: null },
      { version: 2, author: "agent", restoredVersion: null, run, addedLines: 1, removedLines: 1 },
      { version: 1, author: "user", restoredVersion: null },
    ],
    nextCursor: null,
  });
  const page = await call<typeof body>(versions, { id: made.id, path: "/?limit=2" });
  expect([page.body.versions.length, page.body.nextCursor]).toEqual([2, "2"]);
  const changed = await call<{ patch: string }>(diff, { id: made.id, path: "/?from=1&to=2" });
  expect(changed.body).toMatchObject({ from: 1, to: 2, patch: expect.stringContaining("-one\n+two\n") });
  expect((await call(diff, { id: made.id, path: "/?from=1&to=9" })).status).toBe(404);
  expect((await call(restore, { id: made.id, body: { version: 9 } })).status).toBe(404);
});

test("a person's change is in the next model call, also of a run that is going on", async () => {
  const { body: made } = await write("AGENTS.md", "Old rule.\n");
  const seen: string[] = [];
  script = async ({ messages = [] }) => {
    seen.push(JSON.stringify(messages[0]));
    if (seen.length > 1) return { text: "done" };
    expect((await put(made.id, "New rule.\n", 1)).status).toBe(200);
    return { calls: [{ name: "write_todos", args: { todos: [] } }] };
  };
  const body = { messages: [{ role: "user", content: "hi" }] };
  await server.call(invoke, { as: "member", params: { id: "ada" }, body });
  expect(seen.map((text) => [text.includes("Old rule."), text.includes("New rule.")])).toEqual([
    [true, false],
    [false, true],
  ]);
});

test("people see their own documents and those they share, admins everybody's, and each such look is audited", async () => {
  await agent("team", { backend: { type: "state", scope: "agent" } });
  const { body: mine } = await write("MEMORY.md", "mine\n");
  const { body: shared } = await write("MEMORY.md", "shared\n", "admin", { agentId: "team" });
  const { body: foreign } = await write("MEMORY.md", "the admin's\n", "admin");
  const ids = async (as: Role, path = "/") => {
    const { body } = await call<{ documents: MemoryDocument[] }>(list, { as, path });
    return body.documents.map(({ id }) => id).toSorted();
  };
  expect(await ids("member")).toEqual([mine.id, shared.id].toSorted());
  expect(await ids("admin")).toEqual([mine.id, shared.id, foreign.id].toSorted());
  expect(await ids("admin", "/?userId=member&agentId=ada")).toEqual([mine.id]);
  expect(await ids("member", "/?userId=admin&agentId=ada")).toEqual([]);
  expect(await ids("viewer", "/?kind=daily")).toEqual([]);
  expect(shared).toMatchObject({ userId: null, userName: null });
  for (const route of [get, versions, blame, diff]) {
    expect((await call(route, { as: "member", id: foreign.id })).status).toBe(404);
  }
  expect((await put(foreign.id, "x", 1)).status).toBe(404);
  expect((await call(remove, { id: foreign.id, method: "DELETE" })).status).toBe(404);
  expect((await call(restore, { id: foreign.id, body: { version: 1 } })).status).toBe(404);
  expect((await write("MEMORY.md", "x", "member", { userId: "admin" })).status).toBe(404);
  expect((await write("USER.md", "x", "viewer")).status).toBe(403);
  const chat = await server.addKey("admin", ["chat", "read"]);
  expect((await server.call(get, { key: chat, params: { id: mine.id } })).status).toBe(404);
  await call(get, { as: "admin", id: mine.id });
  await call(blame, { as: "admin", id: mine.id });
  await put(mine.id, "by the admin\n", 1, "admin");
  const entries = await server.database.auditEntry.findMany({ where: { target: `memory:${mine.id}` } });
  expect(entries.map(({ actorId, action }) => `${actorId} ${action}`).toSorted()).toEqual([
    "admin memory.updated",
    "admin memory.viewed",
    "member memory.created",
  ]);
});

test.each(["nothing", "md_", "md_!!!!", `md_${Buffer.from("ws_unknown/MEMORY.md").toString("base64url")}`])(
  "%s is no document",
  async (id) => {
    expect((await call(get, { id })).status).toBe(404);
  },
);

test("a file that is no memory can be neither created nor read as a document", async () => {
  const { body: made } = await write("MEMORY.md", "x");
  const workspace = Buffer.from(made.id.slice(3), "base64url").toString().split("/")[0];
  const id = `md_${Buffer.from(`${workspace}/secrets.txt`).toString("base64url")}`;
  expect((await call(get, { id })).status).toBe(404);
  const refused = await call<{ error: { details: object[] } }>(create, {
    body: { agentId: "ada", path: "secrets.txt", content: "" },
  });
  expect([refused.status, refused.body.error.details]).toMatchObject([400, [{ path: "path" }]]);
  expect((await write("../MEMORY.md", "x")).status).toBe(400);
  expect((await call(create, { body: { agentId: "nobody", path: "MEMORY.md", content: "" } })).status).toBe(404);
  await agent("bare", { backend: null, memory: { paths: [] }, tools: [] });
  expect((await write("MEMORY.md", "x", "member", { agentId: "bare" })).status).toBe(400);
});

test("a change from outside becomes a version without an author when the document is read", async () => {
  const { body: made } = await write("MEMORY.md", "one\n");
  await server.database.workspaceFile.updateMany({
    where: { path: "MEMORY.md" },
    data: { blobHash: await storeBlob(server.database, new TextEncoder().encode("from outside\n")) },
  });
  expect((await call(get, { id: made.id })).body).toMatchObject({ version: 2, updatedBy: { author: "outside" } });
  await server.database.workspaceFile.deleteMany({ where: { path: "MEMORY.md" } });
  expect((await call(get, { id: made.id })).status).toBe(404);
  const { body } = await call<{ versions: object[] }>(versions, { id: made.id });
  expect(body.versions[0]).toMatchObject({ version: 3, author: "outside", deleted: true });
});

test("the days of a month that have notes", async () => {
  for (const day of ["20261101", "20261130", "20261201"]) {
    await write(`memory/${day.slice(0, 6)}/${day}.md`, `# ${day}\n`);
  }
  const { body } = await call<{ days: { date: string; documents: MemoryDocument[] }[] }>(days, {
    path: "/?month=2026-11&agentId=ada",
  });
  expect(body.days.map(({ date, documents }) => [date, documents.length])).toEqual([
    ["2026-11-01", 1],
    ["2026-11-30", 1],
  ]);
  expect((await call(days, { path: "/?month=2026-13" })).status).toBe(400);
});

test("a search finds the lines that have all the words, in documents that one may see", async () => {
  await write("MEMORY.md", "- Tea at NOON\n- noon\n- 100% tea_at noon\n");
  await write("MEMORY.md", "- the admin's tea at noon\n", "admin");
  const found = async (q: string, as: Role = "member") => {
    const path = `/?q=${encodeURIComponent(q)}`;
    const { body } = await call<{ results: { line: number; text: string }[] }>(search, { as, path });
    return body.results.map(({ line, text }) => [line, text]);
  };
  expect(await found("noon tea")).toEqual([
    [1, "- Tea at NOON"],
    [3, "- 100% tea_at noon"],
  ]);
  expect(await found("100% _")).toEqual([[3, "- 100% tea_at noon"]]);
  expect(await found("noon tea", "admin")).toHaveLength(3);
  expect(await found("noon", "admin")).toHaveLength(4);
  const looked = await server.database.auditEntry.findMany({ where: { action: "memory.searched" } });
  expect(looked.map(({ actorId, target }) => [actorId, target])).toEqual([["admin", "user:member"]]);
  expect(await found("absent")).toEqual([]);
});

test.each([
  ["- Отпуск в июле", ["отпуск", "ИЮЛЕ отпуск"]],
  ["- Straße in Łódź", ["STRASSE", "lodz"]],
  ["- ΟΔΥΣΣΕΎΣ, İstanbul, Hà Nội", ["οδυσσευς istanbul", "ha noi"]],
])("a search ignores case and accents: %s", async (text, queries) => {
  await write("MEMORY.md", `# Notes\n${text}\n`);
  for (const q of queries) {
    const { body } = await call<{ results: { line: number; text: string }[] }>(search, {
      path: `/?q=${encodeURIComponent(q)}`,
    });
    expect(body.results).toMatchObject([{ line: 2, text }]);
  }
});

test("pages of a list follow each other without a gap", async () => {
  for (const path of ["AGENTS.md", "MEMORY.md", "USER.md", "memory/202611/20261101.md"]) await write(path, "x");
  const paths: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const { body } = await call<{ documents: MemoryDocument[]; nextCursor: string | null }>(list, {
      path: `/?limit=3${query}`,
    });
    paths.push(...body.documents.map(({ path }) => path));
    cursor = body.nextCursor;
  }
  expect(paths.toSorted()).toEqual(["AGENTS.md", "MEMORY.md", "USER.md", "memory/202611/20261101.md"]);
  expect((await call(list, { path: "/?cursor=x" })).status).toBe(400);
});

test("a document says whether the prompt contains it, and what of it no model sees", async () => {
  await agent("open", { type: "open", prompt: { mode: "full" }, memory: { paths: ["MEMORY.md"] } });
  const at = (path: string, content: string) => write(path, content, "member", { agentId: "open" });
  expect((await at("MEMORY.md", "x")).body).toMatchObject({ inPrompt: "always", cut: null });
  expect((await at("BOOTSTRAP.md", "x")).body.inPrompt).toBe("first_chat");
  expect((await at("HEARTBEAT.md", "x")).body.inPrompt).toBe("no");
  expect((await at("memory/202001/20200101.md", "old")).body.inPrompt).toBe("no");
  const soul = `\n${"a".repeat(30_000)}\n`;
  expect((await at("SOUL.md", soul)).body.cut).toMatchObject({ from: 14_001, to: 26_001 });
  expect((await at("USER.md", "u".repeat(9_000))).body.cut).not.toBeNull();
  expect((await write("USER.md", "x")).body.inPrompt).toBe("no");
  const long = (await write("AGENTS.md", "é".repeat(150_000))).body;
  expect(long).toMatchObject({ inPrompt: "always", cut: { from: 100_000, to: 150_000 }, tokens: 37_500 });
});

test("a change that can't be recorded in the audit log is not made", async () => {
  const { body: document } = await write("MEMORY.md", "Blue.\n");
  if (server.database.dialect.provider !== "sqlite") return;
  await server.database.raw(
    `create trigger "full_log" before insert on "audit_entry" begin select raise(abort, 'The log is full.'); end`,
  );
  expect((await put(document.id, "Green.\n", document.version)).status).toBe(500);
  expect((await call(remove, { id: document.id, method: "DELETE" })).status).toBe(500);
  await server.database.raw(`drop trigger "full_log"`);
  const { body: now } = await call(get, { id: document.id });
  expect([now.content, now.version]).toEqual(["Blue.\n", document.version]);
});
