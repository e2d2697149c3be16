import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { GET as stream } from "@/app/api/threads/[threadId]/stream/route";
import { hashKey } from "@/lib/server/users/find-key-owner";
import { countStatements, type StatementCount } from "@/lib/testing/databases/count-statements";
import { addAgent, addThread } from "@/lib/testing/fixtures/run-fixture";
import { signInAs } from "@/lib/testing/fixtures/sign-in";
import { readStream, type StreamReader } from "@/lib/testing/servers/read-thread-stream";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

let server: TestServer;
const readers: StreamReader[] = [];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  server = await startTestServer();
  await addAgent(server.database, "agent", { name: "Agent", model: "scripted:m" });
});

afterEach(async () => {
  for (const reader of readers.splice(0)) await reader.close();
  await server.close();
  vi.useRealTimers();
});

/** What all streams of a process ask together about threads, every 1.5 s. */
const isOfThreads = (text: string) => text.includes('"wanted"');

/** What the next check asks the database, once it has begun this many statements. */
async function statementsOfCheck(count: () => StatementCount, least: number): Promise<string[]> {
  count();
  await vi.advanceTimersByTimeAsync(15_000);
  const seen: string[] = [];
  await vi.waitUntil(() => {
    seen.push(...count().statements.filter((text) => !isOfThreads(text)));
    return seen.length >= least;
  });
  return seen;
}

test("whether the readers of idle streams may still read takes two queries in 15 s, however many they are", async () => {
  const { database, addKey } = server;
  const key = await addKey("member", ["read"]);
  const callers = [
    ["member", { authorization: `Bearer ${key}` }],
    ["member", { authorization: `Bearer ${await addKey("member", ["read"])}` }],
    ["member", await signInAs(server, "member")],
    ["viewer", await signInAs(server, "viewer")],
    ["admin", await signInAs(server, "admin")],
  ] as const;
  for (const [index, [ownerId, headers]] of [...callers, ...callers].entries()) {
    const threadId = `th${index}`;
    await addThread(database, threadId, { ownerId });
    const reply = await server.call(stream, { params: { threadId }, headers });
    expect(reply.status).toBe(200);
    readers.push(readStream(reply));
  }
  const count = countStatements();
  expect(await statementsOfCheck(count, 2)).toHaveLength(2);
  // Once a minute the use of all their keys is noted, in one statement.
  await database.apiKey.updateMany({ data: { lastUsedAt: new Date(Date.now() - 61_000) } });
  expect(await statementsOfCheck(count, 3)).toHaveLength(3);
  expect(readers.filter(({ isOver }) => isOver)).toEqual([]);
  await database.session.deleteMany({ where: { userId: "viewer" } });
  await database.user.update({ where: { id: "admin" }, data: { role: "viewer", deactivatedAt: new Date() } });
  await database.apiKey.update({ where: { sha256: hashKey(key) }, data: { revokedAt: new Date() } });
  await vi.advanceTimersByTimeAsync(15_000);
  await vi.waitUntil(() => readers.filter(({ isOver }) => isOver).length === 6);
  expect(readers.map(({ isOver }) => isOver)).toEqual([true, false, false, true, true, true, false, false, true, true]);
});
