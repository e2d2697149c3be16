import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { POST as createCard } from "@/app/api/boards/[boardId]/tasks/route";
import { POST as createBoard } from "@/app/api/boards/route";
import { POST as createBudget } from "@/app/api/budgets/route";
import { POST as createGroup } from "@/app/api/groups/route";
import { ROUTE_MODULES } from "@/app/api/openapi.json/route-modules";
import { POST as createProject } from "@/app/api/projects/route";
import { POST as createPrompt } from "@/app/api/prompts/route";
import { POST as createSchedule } from "@/app/api/schedules/route";
import { POST as createThread } from "@/app/api/threads/route";
import { POST as inviteUser } from "@/app/api/users/invite/route";
import { POST as createWebhook } from "@/app/api/webhooks/route";
import { createAgent } from "@/lib/server/agents/publish-version";
import { definitionsOf } from "@/lib/server/http/openapi/build-document";
import { findViewer } from "@/lib/server/users/session";
import { runProcess } from "@/lib/testing/processes/start-process";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { fieldsOf, namesShownOnce } from "./idempotency";
import { json } from "./reply";
import type { Route } from "./route";
import { routeDefiner } from "./route";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await createAgent(server.services, {
    agentId: "helper",
    raw: { name: "Helper", model: "demo:demo" },
    createdById: null,
  });
});
afterAll(() => server.close());

const keyed = (key: string) => ({ "idempotency-key": key });

interface Creating {
  readonly route: Route;
  readonly body: unknown;
  readonly params?: Record<string, string>;
  /** A body that is not the same. */
  readonly other: unknown;
  readonly secret?: string;
}

const CREATING: readonly [string, () => Promise<Creating> | Creating][] = [
  ["a thread", () => ({ route: createThread, body: { agentId: "helper" }, other: { agentId: "none" } })],
  ["a board", () => ({ route: createBoard, body: board("b"), other: board("c") })],
  [
    "a card",
    async () => {
      const made = await server.call(createBoard, { as: "admin", body: board("for cards") });
      const { id: boardId } = await made.json();
      return { route: createCard, params: { boardId }, body: card("one"), other: card("two") };
    },
  ],
  ["a prompt", () => ({ route: createPrompt, body: prompt("p"), other: prompt("q") })],
  ["a project", () => ({ route: createProject, body: { name: "p" }, other: { name: "q" } })],
  ["a group", () => ({ route: createGroup, body: { name: "g" }, other: { name: "h" } })],
  ["a budget", () => ({ route: createBudget, body: budget(1), other: budget(2) })],
  ["a schedule", () => ({ route: createSchedule, body: schedule("a"), other: schedule("b") })],
  ["a webhook", () => ({ route: createWebhook, body: webhook("w"), other: webhook("v"), secret: "secret" })],
  [
    "an invitation",
    () => ({ route: inviteUser, body: { email: "a@b.test" }, other: { email: "c@b.test" }, secret: "url" }),
  ],
];

const board = (name: string) => ({ name, members: ["helper"] });
const card = (title: string) => ({ title });
const prompt = (name: string) => ({ name, text: "Say hello." });
const budget = (usd: number) => ({ scope: "installation", period: "day", usd });
const schedule = (name: string) => ({ agentId: "helper", name, every: "1h", prompt: "Go." });
const webhook = (name: string) => ({ direction: "in", agentId: "helper", name, prompt: "Go.", signature: "standard" });

test.each(CREATING)("%s is made once for one key, and the answer is the same", async (name, prepare) => {
  const { route, body, params = {}, other, secret } = await prepare();
  const post = (sent: unknown, key = `once ${name}`, as: "admin" | "member" = "admin") =>
    server.call(route, { as, method: "POST", params, body: sent, headers: keyed(key) });
  const [first, second] = await Promise.all([post(body), post(body)]);
  const answers = await Promise.all([first.json(), second.json()]);
  expect([first.status, second.status], JSON.stringify(answers)).toEqual([201, 201]);
  if (secret === undefined) expect(answers[1]).toEqual(answers[0]);
  else {
    const [shown, hidden] = answers.toSorted((left) => (secret in left ? -1 : 1));
    const { [secret]: value, ...rest } = shown;
    expect(value).toEqual(expect.any(String));
    expect(hidden).toEqual({ ...rest, secretShown: true });
    const stored = await server.database.keptReply.findMany();
    expect(JSON.stringify(stored)).not.toContain(value);
  }
  const refused = await post(other);
  expect([refused.status, (await refused.json()).error.code]).toEqual([409, "conflict"]);
});

test("a key is the caller's, the address's and the day's; a refused request may be sent again", async () => {
  const post = (as: "admin" | "member", key: string, body: unknown = prompt(crypto.randomUUID()), path = "/") =>
    server.call(createPrompt, { as, method: "POST", body, path, headers: keyed(key) });
  const body = prompt("mine");
  const { id } = await (await post("admin", "k", body)).json();
  expect((await (await post("member", "k", body)).json()).id).not.toBe(id);
  expect((await (await post("admin", "k", body)).json()).id).toBe(id);
  expect((await (await post("admin", "k", body, "/?as=another")).json()).id).not.toBe(id);
  const elsewhere = await server.call(createProject, {
    as: "admin",
    method: "POST",
    path: "/api/projects",
    body: { name: "another" },
    headers: keyed("k"),
  });
  expect(elsewhere.status).toBe(201);
  expect((await post("admin", "refused", { name: "" })).status).toBe(400);
  expect((await post("admin", "refused")).status).toBe(201);
  await server.database.keptReply.updateMany({ data: { expiresAt: new Date(Date.now() - 1) } });
  expect((await post("admin", "k")).status).toBe(201);
  expect((await post("admin", "x".repeat(201))).status).toBe(400);
});

test("a body that the handler reads itself counts too", async () => {
  const read = routeDefiner(() => server.services, findViewer)(
    { access: "chat", bodyDocument: z.string() },
    async ({ request }) => json({ text: await request.text(), at: crypto.randomUUID() }),
  );
  const post = (body: unknown) => server.call(read, { as: "member", method: "POST", body, headers: keyed("own") });
  const first = await (await post({ a: 1 })).json();
  expect(await (await post({ a: 1 })).json()).toEqual(first);
  expect((await post({ a: 2 })).status).toBe(409);
});

test("a form that is sent again, between other boundaries, is the same request", async () => {
  const read = routeDefiner(() => server.services, findViewer)(
    { access: "chat", bodyDocument: z.string() },
    async ({ request }) => json({ name: (await request.formData()).get("name"), at: crypto.randomUUID() }),
  );
  const key = await server.addKey("member", ["chat"]);
  const post = (name: string) => {
    const body = new FormData();
    body.set("name", name);
    body.set("file", new Blob(["content"]), "a.txt");
    const headers = { ...keyed("form"), host: "localhost", authorization: `Bearer ${key}` };
    return read(new Request("http://localhost/api/forms", { method: "POST", headers, body }));
  };
  const first = await (await post("one")).json();
  expect(first.name).toBe("one");
  expect(await (await post("one")).json()).toEqual(first);
  expect((await post("two")).status).toBe(409);
});

test.each(["a b", "ключ", "\u{1f511}", '"quoted"', "a, b", "a".repeat(200), "%00", "__proto__"])(
  "the key %j makes one thing",
  async (name) => {
    const body = { name: `odd ${name.slice(0, 20)}` };
    const key = Buffer.from(name).toString("latin1");
    const replies = [1, 2].map(() =>
      server.call(createProject, { as: "admin", method: "POST", body, headers: keyed(key) }),
    );
    const [first, second] = await Promise.all((await Promise.all(replies)).map((reply) => reply.json()));
    expect(first.id).toEqual(expect.any(String));
    expect(second).toEqual(first);
  },
);

test("after a kill between what was made and its answer, a repeat makes no second one and says what is unknown", async () => {
  const key = await server.addKey("member", ["chat"]);
  const body = prompt("killed");
  const sent = [server.databaseUrl, server.dataDirectory, key, "killed", JSON.stringify(body)];
  const killed = await runProcess("lib/testing/processes/killable-creation.ts", ...sent);
  expect(killed).toMatchObject({ signal: "SIGKILL", errors: "" });
  const post = (idempotencyKey: string, other: unknown = body) =>
    server.call(createPrompt, {
      key,
      method: "POST",
      path: "/api/prompts",
      body: other,
      headers: keyed(idempotencyKey),
    });
  const count = () => server.database.savedPrompt.count({ where: { name: "killed" } });
  for (const _ of [1, 2]) {
    const repeated = await post("killed");
    const { error } = await repeated.json();
    expect([repeated.status, error.code]).toEqual([409, "conflict"]);
    expect(error.message).toContain("cut off before it was answered");
  }
  expect(await count()).toBe(1);
  const { error } = await (await post("killed", prompt("another"))).json();
  expect(error.message).toContain("already used");
  expect((await post("of its own", prompt("killed-again"))).status).toBe(201);
});

test("work that fails or gives no answer to keep leaves its key free", async () => {
  const outcomes = [new Error("It failed."), json({}, { status: 503 }), new Response("text"), json({ done: true })];
  const route = routeDefiner(() => server.services, findViewer)(
    { access: "chat", bodyDocument: z.string() },
    async () => {
      const outcome = outcomes.shift();
      if (outcome instanceof Response) return outcome;
      throw outcome;
    },
  );
  const post = () => server.call(route, { as: "member", method: "POST", body: {}, headers: keyed("free") });
  expect([(await post()).status, (await post()).status, (await post()).status]).toEqual([500, 503, 200]);
  expect(await (await post()).json()).toEqual({ done: true });
  expect(await (await post()).json()).toEqual({ done: true });
  expect(outcomes).toEqual([]);
});

const POSTS = Object.entries(ROUTE_MODULES).flatMap(([url, module]) =>
  definitionsOf(module).flatMap(([method, definition]) =>
    method === "POST" && definition.access !== "public" ? [{ url, definition }] : [],
  ),
);

/** Fields with a telling name that later replies contain as well. */
const SHOWN_AGAIN = [
  "/api/http-tools url",
  "/api/mcp-servers token",
  "/api/mcp-servers url",
  "/api/mcp-servers/[serverId]/connect url",
  "/api/runs/[runId]/undo token",
  "/api/webhooks url",
];

test("no answer that is kept contains what is shown once", () => {
  const unmarked = POSTS.flatMap(({ url, definition: { reply } }) => {
    if (!reply) return [];
    const telling = fieldsOf(reply)
      .map(([name]) => name)
      .filter((name) => /^(key|secret|token|code|password|url)$/.test(name));
    const once = namesShownOnce(reply);
    return telling.filter((name) => !once.includes(name)).map((name) => `${url} ${name}`);
  });
  expect([...new Set(unmarked)].toSorted()).toEqual(SHOWN_AGAIN);
});
