import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { Health } from "@/lib/schema/status";
import { startTestServer } from "@/lib/testing/servers/test-server";
import { answerAsWorker } from "./answer-as-worker";
import { createHttpServer } from "./serve";

test("a worker's own counters are read from it, by a token", async () => {
  const installation = await startTestServer({ RINGMASTER_METRICS_TOKEN: "a-token-for-metrics" });
  onTestFinished(() => installation.close());
  const server = createHttpServer(
    (request, response) => void answerAsWorker(installation.services, request, response),
  ).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const ask = (headers: Record<string, string>, method = "GET") =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`, { method, headers });
  expect(await (await ask({})).text()).toContain("ringmaster_database_up 1");
  const forwarded = { "x-forwarded-for": "203.0.113.9" };
  expect((await ask(forwarded)).status).toBe(401);
  const authorization = "Bearer a-token-for-metrics";
  expect((await ask({ ...forwarded, authorization })).headers.get("content-type")).toContain("version=0.0.4");
  expect((await ask({}, "POST")).status).toBe(404);
});

test("a worker serves its health and says where all else is", async () => {
  const installation = await startTestServer();
  onTestFinished(() => installation.close());
  const server = createServer(
    (request, response) => void answerAsWorker(installation.services, request, response),
  ).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const ask = (path: string, method = "GET") =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { method });
  const health = await ask("/health");
  expect([health.status, Health.parse(await health.json()).status]).toEqual([200, "ok"]);
  for (const [path, method] of [
    ["/", "GET"],
    ["/health", "POST"],
    ["/api/threads", "GET"],
  ]) {
    const reply = await ask(path ?? "", method);
    expect(reply.status).toBe(404);
    expect(await reply.json()).toMatchObject({
      error: { code: "not_found", message: expect.stringContaining("web or all") },
    });
  }
});
