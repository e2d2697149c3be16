import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { POST as chat } from "@/app/agents/[id]/chat/route";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { POST as streamAgent } from "@/app/agents/[id]/stream/route";
import { ROUTE_MODULES } from "@/app/api/openapi.json/route-modules";
import { POST as continueRun } from "@/app/api/runs/[runId]/continue/route";
import { POST as retryRun } from "@/app/api/runs/[runId]/retry/route";
import { POST as edit } from "@/app/api/threads/[threadId]/messages/[messageId]/edit/route";
import { POST as regenerate } from "@/app/api/threads/[threadId]/messages/[messageId]/regenerate/route";
import { POST as send } from "@/app/api/threads/[threadId]/messages/route";
import { definitionsOf } from "@/lib/server/http/openapi/build-document";
import { createThread } from "@/lib/server/threads/change-thread";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import type { Route } from "./route";

let server: RunServer;
let threadId: string;
beforeEach(async () => {
  server = await startRunServer([() => ({ text: "Done." })]);
  threadId = (await createThread(server.services, { id: "member" }, "plain")).id;
});
afterEach(() => server.close());

interface Request {
  readonly route: Route;
  readonly path: string;
  readonly params: Record<string, string>;
  readonly body: unknown;
  /** What makes it another request. */
  readonly others: readonly unknown[];
}

const post = async ({ route, path, params }: Request, body: unknown, idempotencyKey: string, key?: string) => {
  const headers = { "idempotency-key": idempotencyKey };
  const who = key === undefined ? { as: "member" as const } : { key };
  const reply = await server.call(route, { ...who, method: "POST", path, params, body, headers });
  // A stream is read to its end.
  return { status: reply.status, text: await reply.text() };
};

const runs = () => server.database.run.count();
const message = (content: string, more: object = {}) => ({ content, ...more });

async function answered(): Promise<{ readonly messageId: string; readonly replyId: string; readonly runId: string }> {
  const reply = await server.call(send, { as: "member", method: "POST", params: { threadId }, body: message("First") });
  const { runId, messageId } = await reply.json();
  await expect
    .poll(async () => (await server.database.run.findUnique({ where: { id: runId } }))?.status)
    .toBe("completed");
  const { assistantMessageId } = await server.database.run.findUniqueOrThrow({ where: { id: runId } });
  return { messageId, replyId: assistantMessageId, runId };
}

/** The latest run as one that somebody stopped. */
async function stopped(): Promise<string> {
  const { runId } = await answered();
  await server.database.run.update({ where: { id: runId }, data: { status: "cancelled" } });
  return runId;
}

const thread = (name = "") => `/api/threads/${threadId}/messages${name}`;
const agents = (name: string) => `/agents/plain/${name}`;
const asked = (content: string) => ({ messages: [{ role: "user", content }] });
const said = (text: string) => ({ id: "c1", trigger: "submit-message", messages: [uiMessage(text)] });
const uiMessage = (text: string) => ({ id: "m1", role: "user", parts: [{ type: "text", text }] });

const REQUESTS: Readonly<Record<string, () => Promise<Request> | Request>> = {
  "/api/threads/[threadId]/messages": () => ({
    route: send,
    path: thread(),
    params: { threadId },
    body: message("Hello"),
    others: [message("Else"), message("Hello", { effort: "high" }), message("Hello", { mode: "steer" })],
  }),
  "/api/threads/[threadId]/messages/[messageId]/edit": async () => {
    const { messageId } = await answered();
    const params = { threadId, messageId };
    return {
      route: edit,
      path: thread(`/${messageId}/edit`),
      params,
      body: message("Hello"),
      others: [message("Else")],
    };
  },
  "/api/threads/[threadId]/messages/[messageId]/regenerate": async () => {
    const { replyId: messageId } = await answered();
    const params = { threadId, messageId };
    return { route: regenerate, path: thread(`/${messageId}/regenerate`), params, body: {}, others: [{ version: 1 }] };
  },
  "/api/runs/[runId]/continue": async () => {
    const runId = await stopped();
    const path = `/api/runs/${runId}/continue`;
    return { route: continueRun, path, params: { runId }, body: {}, others: [{ model: "scripted:m" }] };
  },
  "/api/runs/[runId]/retry": async () => {
    const runId = await stopped();
    const path = `/api/runs/${runId}/retry`;
    return { route: retryRun, path, params: { runId }, body: {}, others: [{ model: "scripted:m" }] };
  },
  "/agents/[id]/invoke": () => ({
    route: invoke,
    path: agents("invoke"),
    params: { id: "plain" },
    body: asked("Hello"),
    others: [asked("Else"), { ...asked("Hello"), no_history: true }],
  }),
  "/agents/[id]/stream": () => ({
    route: streamAgent,
    path: agents("stream"),
    params: { id: "plain" },
    body: asked("Hello"),
    others: [asked("Else"), { ...asked("Hello"), no_history: true }],
  }),
  "/agents/[id]/chat": () => ({
    route: chat,
    path: agents("chat"),
    params: { id: "plain" },
    body: said("Hello"),
    others: [said("Else")],
  }),
};

test("the table has every route that keeps its keys itself", () => {
  const own = Object.entries(ROUTE_MODULES).flatMap(([url, module]) =>
    definitionsOf(module).some(([, { idempotency }]) => idempotency === "own") ? [url] : [],
  );
  expect(Object.keys(REQUESTS).toSorted()).toEqual(own.toSorted());
});

describe.each(Object.entries(REQUESTS))("%s", (_, prepare) => {
  test("makes one run of one key, however often and by how many at once it is sent", async () => {
    const request = await prepare();
    const before = await runs();
    const atOnce = await Promise.all([1, 2].map(() => post(request, request.body, "once")));
    const later = await post(request, request.body, "once");
    for (const { status, text } of [...atOnce, later]) {
      expect(status, text).toBeLessThan(300);
      expect(text).not.toBe("");
    }
    expect(await runs()).toBe(before + 1);
  });

  test("refuses the key for another request, and stores nothing of it", async () => {
    const request = await prepare();
    expect((await post(request, request.body, "once")).status).toBeLessThan(300);
    const before = await runs();
    for (const other of request.others) {
      const { status, text } = await post(request, other, "once");
      expect([status, JSON.parse(text).error.code], text).toEqual([409, "conflict"]);
    }
    expect(await runs()).toBe(before);
  });

  test("takes the key of another caller as another one", async () => {
    const request = await prepare();
    const before = await runs();
    const other = await server.addKey("member", ["chat"]);
    await post(request, request.body, "once");
    const again = await post(request, request.body, "once", other);
    // An ended run is continued once; all else may be asked again.
    if (again.status === 409) expect(again.text).not.toContain("Idempotency-Key");
    else expect(await runs()).toBe(before + 2);
  });
});

test("one key at two addresses of a thread makes two runs", async () => {
  const { messageId } = await answered();
  const body = message("Hello");
  const sent = { route: send, path: thread(), params: { threadId }, body, others: [] };
  const edited = { ...sent, route: edit, path: thread(`/${messageId}/edit`), params: { threadId, messageId } };
  const before = await runs();
  expect((await post(sent, body, "once")).status).toBe(202);
  expect((await post(edited, body, "once")).status).toBe(202);
  expect(await runs()).toBe(before + 2);
});
