import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { ROUTE_MODULES } from "@/app/api/openapi.json/route-modules";
import type { RunEvent } from "@/lib/schema/runs/run-event";
import { definitionsOf } from "@/lib/server/http/openapi/build-document";
import type { Route } from "@/lib/server/http/route";
import { hashKey } from "@/lib/server/users/find-key-owner";
import { findViewer } from "@/lib/server/users/session";
import { countStatements } from "@/lib/testing/databases/count-statements";
import { addAgent, addThread } from "@/lib/testing/fixtures/run-fixture";
import { signInAs } from "@/lib/testing/fixtures/sign-in";
import { readStream, type StreamReader } from "@/lib/testing/servers/read-thread-stream";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

/** Those that follow what is there; a POST begins something, and streams that. */
const STREAMS = new Map(
  Object.entries(ROUTE_MODULES).flatMap(([url, module]) =>
    definitionsOf(module)
      .filter(([method, { produces }]) => method === "GET" && produces === "text/event-stream")
      .map(() => [url, (module as { GET: Route }).GET] as const),
  ),
);

const STARTED: RunEvent = { type: "run.started", agentId: "agent", model: "scripted:m", segment: 0 } as never;
const SAID: RunEvent = { type: "text.delta", step: 1, delta: "Hello" };
const WAITS: RunEvent = { type: "run.waiting", interrupts: [] };
const ENDED: RunEvent = { type: "run.completed", status: "completed" };

interface Seeded {
  readonly status: string;
  readonly events?: readonly RunEvent[];
  readonly waitingFor?: string | null;
  /** Ends of the ids of its subagents' runs, which are running. */
  readonly children?: readonly string[];
}

const CHILD: Seeded = { status: "running", events: [STARTED, SAID] };

const subagentStarted = (runId: string): RunEvent => ({
  type: "subagent.started",
  step: 1,
  toolCallId: `call_${runId}`,
  name: "research",
  description: "Look it up.",
  runId,
  background: true,
});

interface Threads {
  readonly runs: readonly Seeded[];
  readonly cursors: readonly string[];
  /** Queries that follow the opening, for what it does not read: none unless stated. */
  readonly following?: number;
}

/** What a thread's runs may be like when a stream of it opens, and what a client may already have of the last. */
const THREADS: Readonly<Record<string, Threads>> = {
  "has no run": { runs: [], cursors: ["run_none:3"] },
  "has a queued run": { runs: [{ status: "queued" }], cursors: ["LAST:0"] },
  "has a running run": {
    runs: [{ status: "running", events: [STARTED, SAID] }],
    cursors: ["LAST", "LAST:1", "LAST:2"],
  },
  "waits for a person": {
    runs: [{ status: "waiting", waitingFor: "approval", events: [STARTED, SAID, WAITS] }],
    cursors: ["LAST:3"],
  },
  "has ended": {
    runs: [{ status: "completed", events: [STARTED, SAID, ENDED] }],
    cursors: ["LAST", "LAST:2", "LAST:3", "LAST:9", "nonsense!"],
  },
  "has ended, and its events are deleted": { runs: [{ status: "completed" }], cursors: ["LAST", "LAST:3"] },
  "has a run before the last": {
    runs: [
      { status: "failed", events: [STARTED, SAID, ENDED] },
      { status: "running", events: [STARTED, SAID] },
    ],
    cursors: ["FIRST", "FIRST:3"],
  },
  "has a log of 2,400 rows, whose rows after the first 1,000 follow in pages of 1,000": {
    runs: [{ status: "running", events: [STARTED, ...Array.from({ length: 2_399 }, () => SAID)] }],
    cursors: ["LAST:2400"],
    following: 2,
  },
  "has two subagents at work, whose cards follow": {
    runs: [{ status: "running", events: [STARTED, SAID], children: ["a", "b"] }],
    cursors: ["LAST:4"],
    following: 3,
  },
};

let server: TestServer;

beforeEach(async () => {
  server = await startTestServer();
  await server.database.user.create({ data: { id: "u1", name: "Ada", email: "ada@example.test" } });
  await addAgent(server.database, "agent", { name: "Agent", model: "scripted:m" });
});

afterEach(() => server.close());

async function seed(threadId: string, runs: readonly Seeded[]): Promise<string[]> {
  const { database } = server;
  await addThread(database, threadId, { ownerId: "member" });
  const ids = runs.map((_, index) => `run_${threadId}_${index}`);
  for (const [index, run] of runs.entries()) {
    const id = ids[index] ?? "";
    await addRun({ threadId, id, position: index + 1 }, run);
    for (const child of run.children ?? []) {
      const childId = `${id}_${child}`;
      await addRun({ threadId, id: childId, position: 100, parentRunId: id, rootRunId: id }, CHILD);
    }
    if (run.status === "completed" || run.status === "failed") await addReply(threadId, id, index + 1);
  }
  return ids;
}

interface Placed {
  readonly id: string;
  readonly threadId: string;
  readonly position: number;
  readonly parentRunId?: string;
  readonly rootRunId?: string;
}

async function addRun(placed: Placed, { status, events = [], waitingFor = null, children = [] }: Seeded) {
  const { database } = server;
  const { id } = placed;
  const { id: agentVersionId } = await database.agentVersion.findFirstOrThrow();
  const isOpen = status === "queued" || status === "running" || status === "waiting";
  await database.run.create({
    data: {
      ...placed,
      ownerId: "member",
      agentId: "agent",
      agentVersionId,
      traceId: `tr_${id}`,
      status,
      waitingFor,
      epoch: status === "queued" ? 0 : 1,
      input: "{}",
      assistantMessageId: `msg_${id}`,
      endedAt: isOpen ? null : new Date(),
    },
  });
  const log = [...events, ...children.map((child) => subagentStarted(`${id}_${child}`))];
  await database.runEvent.createMany({
    data: log.map((event, row) => {
      const data = JSON.stringify(event);
      return { runId: id, seq: row + 1, epoch: 1, type: event.type, data, createdAt: new Date() };
    }),
  });
}

async function addReply(threadId: string, runId: string, position: number): Promise<void> {
  const parts = JSON.stringify([{ type: "text", text: "Hello" }]);
  const message = { id: `msg_${runId}`, threadId, runId, position, role: "assistant", parts, text: "Hello" };
  await server.database.transcriptMessage.create({ data: message });
}

/** What all streams of a process ask together, every 1.5 s. */
const isShared = (text: string) => text.includes('"wanted"');

const FOR_WHO_ASKS = 1;
/** For everything else that a stream begins with. */
const MOST = 1;

/** How the member asks: headers of a request. */
const CALLERS: Readonly<Record<string, () => Promise<Record<string, string>>>> = {
  "a key": async () => ({ authorization: `Bearer ${await server.addKey("member", ["read"])}` }),
  "a key limited to a group": async () => {
    const key = await server.addKey("member", ["read"]);
    const agents = { create: { agentId: "agent" } };
    const { id: groupId } = await server.database.group.create({ data: { id: "grp_1", name: "Ours", agents } });
    await server.database.apiKey.update({ where: { sha256: hashKey(key) }, data: { groupId } });
    return { authorization: `Bearer ${key}` };
  },
  "a session": () => signInAs(server, "member"),
};

const CASES = [...STREAMS].flatMap(([url, route]) =>
  Object.entries(THREADS).map(([what, thread]) => ({ url, route, what, ...thread })),
);

test("there are streams to open", () => {
  expect([...STREAMS.keys()].toSorted()).toEqual([
    "/agents/[id]/chat/[chatId]/stream",
    "/api/events",
    "/api/runs/[runId]/events",
    "/api/runs/[runId]/stream",
    "/api/threads/[threadId]/stream",
  ]);
});

test.each(CASES)("$url of a thread that $what opens with two queries, whoever asks", async (stream) => {
  const { url, route, runs, cursors, following = 0 } = stream;
  const isOfRun = url.includes("runId");
  const isFeed = url === "/api/events";
  const openings: ((who: Record<string, string>) => Promise<Response>)[] = [];
  for (const [index, cursor] of ["", ...cursors].entries()) {
    const threadId = `th${index}`;
    const ids = await seed(threadId, runs);
    const runId = ids.at(-1) ?? "run_none";
    const at = cursor.replace("LAST", runId).replace("FIRST", ids[0] ?? "");
    const place = isOfRun ? at.split(":")[1] : at;
    const headers: Record<string, string> = place ? { "last-event-id": place } : {};
    const params = { id: "agent", chatId: threadId, threadId, runId };
    openings.push((who) => server.call(route, { params, headers: { ...who, ...headers } }));
  }
  const callers = await signedIn();
  const readers: StreamReader[] = [];
  onTestFinished(async () => {
    for (const reader of readers) await reader.close();
  });
  const count = countStatements();
  for (const [caller, who] of callers) {
    await findViewer(server.services, new Headers(who));
    expect(count().statements, caller).toHaveLength(FOR_WHO_ASKS);
  }
  for (const [, who] of callers) {
    for (const open of openings) readers.push(readStream(await open(who)));
  }
  const seen: string[] = [];
  await vi.waitUntil(
    () => {
      seen.push(...count().statements);
      const areSettled = readers.every(({ isOver, events }) => isOver || (isFeed && events.length > 0));
      return areSettled || seen.filter(isShared).length > 1;
    },
    { timeout: 10_000, interval: 20 },
  );
  const made = seen.filter((text) => !isShared(text));
  expect(made.length, made.join("\n")).toBeLessThanOrEqual(readers.length * (FOR_WHO_ASKS + MOST + following));
});

/** The headers of each caller, whose key has already noted that it is in use. */
async function signedIn(): Promise<(readonly [string, Record<string, string>])[]> {
  const callers = Object.entries(CALLERS).map(async ([caller, signIn]) => [caller, await signIn()] as const);
  const all = await Promise.all(callers);
  for (const [, who] of all) await findViewer(server.services, new Headers(who));
  return all;
}
