import { afterAll, beforeAll, expect, test } from "vitest";
import { POST as setMember } from "@/app/api/projects/[projectId]/members/route";
import { POST as createProject } from "@/app/api/projects/route";
import { POST as cancelRun } from "@/app/api/runs/[runId]/cancel/route";
import { POST as decide } from "@/app/api/runs/[runId]/decisions/route";
import { GET as runEvents } from "@/app/api/runs/[runId]/events/route";
import { GET as runFiles } from "@/app/api/runs/[runId]/files/route";
import { POST as retry } from "@/app/api/runs/[runId]/retry/route";
import { GET as getRun } from "@/app/api/runs/[runId]/route";
import { GET as runTranscript } from "@/app/api/runs/[runId]/transcript/route";
import type { ThreadDetail } from "@/lib/schema/threads/thread";
import { createAgent } from "@/lib/server/agents/publish-version";
import { startRun } from "@/lib/server/engine/accept";
import { countEvents, readStream } from "@/lib/testing/servers/read-thread-stream";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { scriptedTurns, writes } from "@/lib/testing/servers/scripted-turns";
import { PUT as chooseBranch, GET as getBranch } from "./[threadId]/branch/route";
import { POST as cancel } from "./[threadId]/cancel/route";
import { POST as compact } from "./[threadId]/compact/route";
import { GET as context } from "./[threadId]/context/route";
import { GET as exportThread } from "./[threadId]/export/route";
import { GET as archive } from "./[threadId]/files/archive/route";
import { GET as readFile } from "./[threadId]/files/content/route";
import { DELETE as deleteFile, GET as listFiles, PUT as writeFile } from "./[threadId]/files/route";
import { GET as fileVersions } from "./[threadId]/files/versions/route";
import { POST as fork } from "./[threadId]/fork/route";
import { POST as edit } from "./[threadId]/messages/[messageId]/edit/route";
import { GET as answerers, POST as regenerate } from "./[threadId]/messages/[messageId]/regenerate/route";
import { GET as messages, POST as send } from "./[threadId]/messages/route";
import { PATCH as changeQueued, DELETE as dequeue } from "./[threadId]/queue/[messageId]/route";
import { POST as release } from "./[threadId]/queue/release/route";
import { GET as queue } from "./[threadId]/queue/route";
import { POST as restore } from "./[threadId]/restore/route";
import { PATCH as change, GET as getThread, DELETE as remove } from "./[threadId]/route";
import { DELETE as revokeShare, POST as share, GET as shareState } from "./[threadId]/share/route";
import { GET as stream } from "./[threadId]/stream/route";
import { POST as retitle } from "./[threadId]/title/route";
import { GET as todos } from "./[threadId]/todos/route";
import { POST as startThread } from "./route";

/** Those outside first: what is refused changes nothing. The starter owns the thread and the project that it is in. */
const PEOPLE = ["stranger", "admin", "reader", "writer", "starter"] as const;
type PersonName = (typeof PEOPLE)[number];
type AnyRoute = Parameters<RunServer["call"]>[0];

let server: RunServer;
const keys = new Map<PersonName, string>();
let gate = Promise.withResolvers<void>();

beforeAll(async () => {
  const turns = scriptedTurns({ Write: [writes("own.txt")], Ask: [writes("asked.txt")] });
  server = await startRunServer((request) => {
    const isHeld = JSON.stringify(request.messages?.at(-1)).includes("Wait");
    return isHeld ? { text: "Waited.", gate: gate.promise } : turns(request);
  });
  const asking = { name: "Asking", model: "scripted:m", retries: 0, backend: { type: "state" } };
  const permissions = { enabled: true, allow: ["*"], ask: ["write_file"] };
  await createAgent(server.services, { agentId: "asking", raw: { ...asking, permissions }, createdById: null });
  for (const id of PEOPLE) {
    const role = id === "admin" ? "admin" : "member";
    if (id !== "admin") {
      await server.database.user.create({ data: { id, name: id, email: `${id}@example.test`, role } });
    }
    keys.set(id, await server.addKey(id, ["admin"]));
  }
});
afterAll(() => server.close());

const call = (route: AnyRoute, person: PersonName, request: object = {}) =>
  server.call(route, { key: keys.get(person), ...request });

async function made<Result>(route: AnyRoute, person: PersonName, request: object): Promise<Result> {
  const reply = await call(route, person, request);
  expect(reply.status, await reply.clone().text()).toBeLessThan(300);
  return reply.json();
}

/** A thread of the starter in a project with the writer and the reader: an answer with a file, and a run that goes on. */
interface Scene {
  readonly threadId: string;
  readonly projectId: string;
  readonly messageId: string;
  readonly replyId: string;
  readonly endedRunId: string;
  /** Running, with a message queued behind it; both are the starter's. */
  readonly runId: string;
  readonly queuedId: string;
}

interface Sent {
  readonly runId: string;
  readonly messageId: string;
  readonly status: string;
}

async function startShared(agentId: string) {
  const body = { name: "Shared", instructions: "" };
  const { id: projectId } = await made<{ id: string }>(createProject, "starter", { body });
  for (const [userId, role] of Object.entries({ writer: "write", reader: "read" })) {
    await made(setMember, "starter", { params: { projectId }, body: { userId, role } });
  }
  const thread = { agentId, projectId, files: "thread" };
  const { id: threadId } = await made<{ id: string }>(startThread, "starter", { body: thread });
  return { projectId, threadId };
}

const say = (threadId: string, content: string, person: PersonName = "starter", mode?: "steer") =>
  made<Sent>(send, person, { params: { threadId }, body: { content, mode } });
const statusOf = async (id: string) => (await server.database.run.findUnique({ where: { id } }))?.status;

async function makeScene(): Promise<Scene> {
  gate = Promise.withResolvers();
  const { projectId, threadId } = await startShared("coder");
  const first = await say(threadId, "Write");
  await expect.poll(() => statusOf(first.runId)).toBe("completed");
  const { messages: shown } = await (await call(messages, "starter", { params: { threadId } })).json();
  const going = await say(threadId, "Wait");
  await expect.poll(() => statusOf(going.runId)).toBe("running");
  const next = await say(threadId, "Next");
  return {
    threadId,
    projectId,
    messageId: shown[0].id,
    replyId: shown[1].id,
    endedRunId: first.runId,
    runId: going.runId,
    queuedId: next.messageId,
  };
}

interface Verb {
  readonly name: string;
  /** The statuses for a stranger, an administrator outside the project, a reader, a writer and the starter. */
  readonly want: readonly [number, number, number, number, number];
  readonly call: (scene: Scene, person: PersonName) => Promise<Response>;
}

const onThread =
  (route: AnyRoute, request: object = {}): Verb["call"] =>
  ({ threadId }, person) =>
    call(route, person, { params: { threadId }, ...request });
const onMessage =
  (route: AnyRoute, key: "messageId" | "replyId" | "queuedId", request: object = {}): Verb["call"] =>
  (scene, person) =>
    call(route, person, { params: { threadId: scene.threadId, messageId: scene[key] }, ...request });
const onRun =
  (route: AnyRoute, key: "runId" | "endedRunId", request: object = {}): Verb["call"] =>
  (scene, person) =>
    call(route, person, { params: { runId: scene[key] }, ...request });
const verb = (name: string, want: Verb["want"], request: Verb["call"]): Verb => ({ name, want, call: request });

const READ = [404, 404, 200, 200, 200] as const;
const VERBS: readonly Verb[] = [
  verb("reads the thread", READ, onThread(getThread)),
  verb("reads messages", READ, onThread(messages)),
  verb("follows the thread", READ, onThread(stream)),
  verb("reads the plan", READ, onThread(todos)),
  verb("reads the queue", READ, onThread(queue)),
  verb("reads the context", READ, onThread(context)),
  verb("lists branches", READ, onThread(getBranch)),
  verb("exports", READ, onThread(exportThread)),
  verb("lists files", READ, onThread(listFiles)),
  verb("reads a file", READ, onThread(readFile, { path: "/?path=own.txt" })),
  verb("lists the versions of a file", READ, onThread(fileVersions, { path: "/?path=own.txt" })),
  verb("downloads files", READ, onThread(archive)),
  verb("sees whether it is shared", [404, 404, 403, 403, 200], onThread(shareState)),
  // A run and its trace are its starter's; what it said and did is the thread's.
  verb("reads a run", [404, 200, 404, 404, 200], onRun(getRun, "endedRunId")),
  verb("reads the transcript of a run", READ, onRun(runTranscript, "endedRunId")),
  verb("reads the events of a run", READ, onRun(runEvents, "endedRunId")),
  verb("lists the files of a run", READ, onRun(runFiles, "endedRunId")),
  verb("sends a message", [404, 404, 403, 202, 202], onThread(send, { body: { content: "Hello" } })),
  verb("edits a message", [404, 404, 403, 202, 202], onMessage(edit, "messageId", { body: { content: "Other" } })),
  verb("answers again", [404, 404, 403, 202, 202], onMessage(regenerate, "replyId", { body: {} })),
  verb("sees who can answer again", [404, 404, 403, 200, 200], onMessage(answerers, "replyId")),
  verb("shows another branch", [404, 404, 403, 204, 204], ({ threadId, replyId }, person) =>
    call(chooseBranch, person, { method: "PUT", params: { threadId }, body: { messageId: replyId } }),
  ),
  verb("forks", [404, 404, 403, 201, 201], ({ threadId, replyId }, person) =>
    call(fork, person, { params: { threadId }, body: { messageId: replyId } }),
  ),
  verb(
    "writes a file",
    [404, 404, 403, 200, 200],
    onThread(writeFile, { method: "PUT", body: { path: "a.txt", content: "a" } }),
  ),
  verb("deletes a file", [404, 404, 403, 204, 404], onThread(deleteFile, { method: "DELETE", path: "/?path=own.txt" })),
  verb("renames", [404, 404, 403, 403, 200], onThread(change, { method: "PATCH", body: { title: "Mine" } })),
  verb("archives", [404, 404, 403, 403, 200], onThread(change, { method: "PATCH", body: { archived: true } })),
  verb(
    "moves out of the project while a run goes on",
    [404, 404, 403, 403, 409],
    onThread(change, { method: "PATCH", body: { projectId: null } }),
  ),
  verb("finds a title", [404, 404, 403, 403, 200], onThread(retitle, { method: "POST" })),
  verb("shares", [404, 404, 403, 403, 201], onThread(share, { body: {} })),
  verb("revokes the link", [404, 404, 403, 403, 204], onThread(revokeShare, { method: "DELETE" })),
  verb("compacts while a run goes on", [404, 404, 403, 409, 409], onThread(compact, { method: "POST" })),
  verb("stops the thread", [404, 404, 403, 403, 200], onThread(cancel, { method: "POST" })),
  verb("stops the run", [404, 200, 404, 404, 200], onRun(cancelRun, "runId", { method: "POST" })),
  verb("retries a run that did not fail", [404, 404, 404, 404, 409], onRun(retry, "endedRunId", { method: "POST" })),
  verb(
    "changes a queued message",
    [404, 404, 403, 403, 200],
    onMessage(changeQueued, "queuedId", { method: "PATCH", body: { content: "Changed" } }),
  ),
  verb("removes a queued message", [404, 404, 403, 403, 204], onMessage(dequeue, "queuedId", { method: "DELETE" })),
  verb("sends what is held of their own", [404, 404, 403, 200, 200], onThread(release, { method: "POST" })),
  verb("deletes", [404, 404, 403, 403, 204], onThread(remove, { method: "DELETE" })),
  verb("restores", [404, 404, 404, 404, 200], onThread(restore, { method: "POST" })),
];

test.each(VERBS)("who $name", async ({ want, call: request }) => {
  const scene = await makeScene();
  const statuses: number[] = [];
  for (const person of PEOPLE) {
    const reply = await request(scene, person);
    statuses.push(reply.status);
    await reply.body?.cancel();
  }
  gate.resolve();
  expect(statuses).toEqual(want);
});

test("a message steers the run of another person never: it waits its turn, and the starter's own one steers", async () => {
  const { threadId, runId } = await makeScene();
  const foreign = await say(threadId, "Faster", "writer", "steer");
  const own = await say(threadId, "Slower", "starter", "steer");
  expect(foreign).toMatchObject({ status: "queued" });
  expect(foreign.runId).not.toBe(runId);
  expect(own.runId).toBe(runId);
  const { messages: queued } = await (await call(queue, "starter", { params: { threadId } })).json();
  const modes = queued.map(({ mode, content }: { mode: string; content: string }) => `${mode} ${content}`);
  expect(modes).toEqual(["steer Slower", "queue Next", "queue Faster"]);
  gate.resolve();
});

test("a stop holds the messages of every member, and each sends and removes only their own", async () => {
  const { threadId, runId, queuedId } = await makeScene();
  const reader = readStream(await call(stream, "writer", { params: { threadId } }));
  const foreign = await say(threadId, "Theirs", "writer");
  await made(cancelRun, "starter", { params: { runId }, method: "POST" });
  await reader.until((events) => countEvents(events, "queue-changed") > 0);
  await reader.close();
  const waiting = async () =>
    (await (await call(queue, "reader", { params: { threadId } })).json()).messages.map(
      ({ state, content }: { state: string; content: string }) => `${state} ${content}`,
    );
  expect(await waiting()).toEqual(["held Next", "held Theirs"]);
  const seen = await made<ThreadDetail>(getThread, "writer", { params: { threadId } });
  expect(seen.held).toMatchObject([{ text: "Next", byAnother: true }, { text: "Theirs" }]);
  expect(seen.held?.[1]).not.toHaveProperty("byAnother");

  await made(release, "writer", { params: { threadId }, body: { ids: [queuedId] } });
  expect(await waiting()).toEqual(["held Next", "held Theirs"]);
  await made(release, "writer", { params: { threadId }, method: "POST" });
  await expect.poll(() => statusOf(foreign.runId)).toBe("completed");
  expect(await waiting()).toEqual(["held Next"]);
  const target = { params: { threadId, messageId: queuedId }, method: "DELETE" };
  expect((await call(dequeue, "writer", target)).status).toBe(403);
  expect((await call(dequeue, "starter", target)).status).toBe(204);
  expect(await waiting()).toEqual([]);
  gate.resolve();
});

test("who has become a reader since sends nothing that is held", async () => {
  const { threadId, projectId, runId } = await makeScene();
  const foreign = await say(threadId, "Theirs", "writer");
  await made(cancelRun, "starter", { params: { runId }, method: "POST" });
  await made(setMember, "starter", { params: { projectId }, body: { userId: "writer", role: "read" } });
  expect((await call(release, "writer", { params: { threadId }, method: "POST" })).status).toBe(403);
  expect(await statusOf(foreign.runId)).toBe("queued");
  gate.resolve();
});

async function askStarter() {
  const { threadId } = await startShared("asking");
  const { runId } = await say(threadId, "Ask");
  await expect.poll(() => statusOf(runId)).toBe("waiting");
  const { toolCallId } = await server.database.approval.findFirstOrThrow({ where: { runId } });
  const decision = (person: PersonName) =>
    call(decide, person, { params: { runId }, body: { decisions: [{ tool_call_id: toolCallId, decision: "allow" }] } });
  return { threadId, runId, decision };
}

test("a member who may only read from now on no longer changes what they have queued", async () => {
  const { threadId, projectId } = await makeScene();
  const { messageId } = await say(threadId, "Later", "writer");
  await made(setMember, "starter", { params: { projectId }, body: { userId: "writer", role: "read" } });
  const params = { threadId, messageId };
  const edited = await call(changeQueued, "writer", { method: "PATCH", params, body: { content: "Changed" } });
  const removed = await call(dequeue, "writer", { method: "DELETE", params });
  expect([edited.status, removed.status]).toEqual([403, 403]);
  gate.resolve();
});

test("a request for approval is decided by the starter of the run alone", async () => {
  const { runId, decision } = await askStarter();
  const statuses: number[] = [];
  for (const person of PEOPLE) statuses.push((await decision(person)).status);
  expect(statuses).toEqual([404, 404, 404, 404, 200]);
  await expect.poll(() => statusOf(runId)).toBe("completed");
});

test("a message of another person declines no request for approval, one of the starter does", async () => {
  const { threadId, runId, decision } = await askStarter();
  await say(threadId, "Hello", "writer");
  expect(await statusOf(runId)).toBe("waiting");
  await say(threadId, "Never mind");
  await expect.poll(() => statusOf(runId)).not.toBe("waiting");
  expect((await decision("starter")).status).toBe(409);
});

test("a fork takes the files of a thread along for its starter alone", async () => {
  const { threadId, replyId } = await makeScene();
  /** The files that the person sees in a fork, and those that were copied for it. */
  const filesOfFork = async (person: PersonName) => {
    const body = { messageId: replyId, carry: { files: true } };
    const { id } = await made<{ id: string }>(fork, person, { params: { threadId }, body });
    const copied = await server.database.workspaceFile.findMany({ where: { workspace: { threadId: id } } });
    const { entries } = await (await call(listFiles, person, { params: { threadId: id } })).json();
    return [entries.map(({ name }: { name: string }) => name), copied.map(({ path }) => path)];
  };
  expect(await filesOfFork("writer")).toEqual([[], []]);
  expect(await filesOfFork("starter")).toEqual([["own.txt"], ["own.txt"]]);
  gate.resolve();
});

test("who may only read starts no run, whatever starts it", async () => {
  const { threadId } = await makeScene();
  const message = { role: "user", content: "By a schedule" } as const;
  const start = (ownerId: PersonName) =>
    startRun(server.database, { ownerId, threadId, agentId: "coder", messages: [message], attended: false });
  await expect(start("reader")).rejects.toMatchObject({ code: "forbidden" });
  await expect(start("stranger")).rejects.toMatchObject({ code: "forbidden" });
  expect(await start("writer")).toMatchObject({ status: "queued" });
  gate.resolve();
});
