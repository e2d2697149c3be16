import { afterEach, beforeEach, expect, test } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { GET } from "@/app/metrics/route";
import { forgetProcessState } from "@/lib/server/platform/process-state";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";

const TOKEN = "a-token-for-metrics";
const HERE = { "x-ringmaster-from-here": "1" };

let server: RunServer;
beforeEach(() => forgetProcessState("counters"));
afterEach(() => server.close());

const scrape = (headers: Record<string, string> = HERE) => server.call(GET, { path: "/metrics", headers });

/** The samples of a scrape by name and labels. */
async function readMetrics(): Promise<Record<string, number>> {
  const text = await (await scrape()).text();
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return Object.fromEntries(
    lines.map((line): [string, number] => {
      const end = line.lastIndexOf(" ");
      return [line.slice(0, end), Number(line.slice(end))];
    }),
  );
}

const say = (agent: string) =>
  server.call(invoke, {
    method: "POST",
    as: "member",
    params: { id: agent },
    body: { messages: [{ role: "user", content: "Hello" }] },
  });

test("a run counts once, at its end, with its calls and the tokens of each class", async () => {
  server = await startRunServer([
    {
      text: "Let me see.",
      calls: [{ name: "write_todos", args: { todos: [] } }],
      usage: { input: 100, cached: 40, output: 20 },
    },
    { text: "Done.", usage: { input: 10, output: 5 } },
  ]);
  expect((await say("coder")).status).toBe(200);
  const found = await readMetrics();
  expect(found).toMatchObject({
    'ringmaster_runs_total{agent="coder",status="completed"}': 1,
    'ringmaster_tool_calls_total{agent="coder",status="completed"}': 1,
    'ringmaster_open_runs{status="running"}': 0,
    'ringmaster_pending_asks{kind="approval"}': 0,
    ringmaster_database_up: 1,
  });
  expect(found.process_resident_memory_bytes).toBeGreaterThan(1e6);
  const tokens = Object.entries(found).filter(([name]) => name.startsWith("ringmaster_tokens_total{"));
  const run = await server.database.run.findFirstOrThrow();
  expect(tokens.reduce((sum, [, value]) => sum + value, 0)).toBe(run.inputTokens + run.outputTokens);
  expect(await readMetrics()).toMatchObject({ 'ringmaster_runs_total{agent="coder",status="completed"}': 1 });
});

test("no label names a person, a thread or a run", async () => {
  server = await startRunServer([{ text: "Hello." }]);
  await say("plain");
  const text = await (await scrape()).text();
  const labels = new Set([...text.matchAll(/[{,](\w+)="/g)].map(([, name]) => name));
  expect([...labels].toSorted()).toEqual(["agent", "class", "kind", "model", "status", "version"]);
});

test("this machine needs no token, another one does, and a reverse proxy on this machine is another one", async () => {
  server = await startRunServer([], { RINGMASTER_METRICS_TOKEN: TOKEN });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const status = async (headers: Record<string, string>) => (await scrape(headers)).status;
  expect(await status(HERE)).toBe(200);
  expect(await status({ ...HERE, ...bearer("wrong") })).toBe(200);
  expect(await status({ "x-forwarded-for": "127.0.0.1" })).toBe(401);
  expect(await status({})).toBe(401);
  expect(await status(bearer("wrong"))).toBe(401);
  expect(await status(bearer(`${TOKEN}x`))).toBe(401);
  expect(await status({ authorization: `Basic ${TOKEN}` })).toBe(401);
  expect(await status(bearer(TOKEN))).toBe(200);
});

test("a token reads a process under its own address; without one, a foreign host name is refused", async () => {
  server = await startRunServer([], { RINGMASTER_METRICS_TOKEN: TOKEN });
  const host = { host: "10.1.2.3:3000" };
  expect((await scrape({ ...host, authorization: `Bearer ${TOKEN}` })).status).toBe(200);
  expect((await scrape({ ...host, ...HERE })).status).toBe(421);
  expect((await scrape({ ...host, ...HERE, authorization: "Bearer wrong" })).status).toBe(401);
});

test("where no token is set, no token opens it", async () => {
  server = await startRunServer([]);
  for (const authorization of ["", "Bearer ", "Bearer null", "Bearer undefined"]) {
    const reply = await scrape(authorization === "" ? {} : { authorization });
    expect(reply.status).toBe(403);
    expect((await reply.json()).error.message).toContain("RINGMASTER_METRICS_TOKEN");
  }
});

test("an API key of an administrator is no token", async () => {
  server = await startRunServer([], { RINGMASTER_METRICS_TOKEN: TOKEN });
  expect((await server.call(GET, { path: "/metrics", as: "admin" })).status).toBe(401);
});

test("a database that does not answer is itself a metric", async () => {
  server = await startRunServer([]);
  const real = server.database.run.groupBy;
  Object.assign(server.database.run, { groupBy: () => Promise.reject(new Error("gone")) });
  const found = await readMetrics();
  Object.assign(server.database.run, { groupBy: real });
  expect(found.ringmaster_database_up).toBe(0);
  expect(found.ringmaster_open_streams).toBe(0);
});
