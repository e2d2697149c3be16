import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { Health } from "@/lib/schema/status";
import { startTestServer } from "@/lib/testing/servers/test-server";
import { answerAsWorker } from "./answer-as-worker";

test("a worker serves its health and says where all else is", async () => {
  const installation = await startTestServer();
  onTestFinished(() => installation.close());
  const server = createServer((request, response) => void answerAsWorker(request, response)).listen(0, "127.0.0.1");
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
