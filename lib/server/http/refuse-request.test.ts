import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openAiError } from "@/lib/server/apis/openai/openai-error";
import { allowedMethods, refuseRequest } from "./refuse-request";

let server: Server;
let url: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    if (!refuseRequest(request, response, { "/v1/": openAiError })) response.end("passed on");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

test.each([
  ["DELETE", "/agents", "GET, HEAD, OPTIONS, POST"],
  ["GET", "/agents/tools/register?x=1", "OPTIONS, POST"],
  ["PROPFIND", "/agents/default", "DELETE, GET, HEAD, OPTIONS, PATCH"],
  ["PUT", "/api/threads/th_1/messages", "GET, HEAD, OPTIONS, POST"],
])("%s %s is a 405 that says what is possible", async (method, path, allow) => {
  const reply = await fetch(url + path, { method });
  expect([reply.status, reply.headers.get("allow")]).toEqual([405, allow]);
  expect(reply.headers.get("x-request-id")).toMatch(/^req_/);
  expect((await reply.json()).error).toMatchObject({ code: "method_not_allowed" });
});

test("the OpenAI routes use OpenAI's error shape", async () => {
  const reply = await fetch(`${url}/v1/chat/completions`);
  expect((await reply.json()).error).toMatchObject({ type: "invalid_request_error", param: null });
});

test.each([
  ["GET", "/agents"],
  ["HEAD", "/agents/default"],
  ["OPTIONS", "/api/threads"],
  ["POST", "/api/nothing"],
  ["POST", "/threads/th_1"],
])("%s %s is passed on", async (method, path) => {
  const reply = await fetch(url + path, { method });
  expect([reply.status, await reply.text()]).toEqual([200, method === "HEAD" ? "" : "passed on"]);
});

test("pages and their files have the id that routes give their replies", async () => {
  for (const path of ["/", "/threads/th_1", "/_next/static/none.js", "/agentsx"]) {
    expect((await fetch(url + path)).headers.get("x-request-id"), path).toMatch(/^req_/);
  }
  for (const path of ["/agents", "/api/nothing", "/v1/models", "/health"]) {
    expect((await fetch(url + path)).headers.get("x-request-id"), path).toBeNull();
  }
});

/** The response to a request that no client library would send. */
function sendRaw(head: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1", () => socket.write(`${head}\r\n\r\n`));
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("error", reject).on("close", () => resolve(answer));
  });
}

const HOST = "Host: localhost\r\nConnection: close";

test.each([
  ["half a character in the path", `GET /agents/%ED%A0%80 HTTP/1.1\r\n${HOST}`, 400],
  ["a broken escape", `GET /threads/%zz HTTP/1.1\r\n${HOST}`, 400],
  ["another server's address", `GET http://evil.example/agents HTTP/1.1\r\n${HOST}`, 400],
  ["another host name", "GET /sign-in HTTP/1.1\r\nHost: evil.example\r\nConnection: close", 421],
  ["TRACE of a page", `TRACE /sign-in HTTP/1.1\r\n${HOST}`, 405],
])("%s is refused with our error", async (_, head, status) => {
  const answer = await sendRaw(head);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer).toContain('{"error":{"code":');
});

test("refusing an unknown host name says how to allow it", async () => {
  const answer = await sendRaw("GET / HTTP/1.1\r\nHost: box.lan:3000\r\nConnection: close");
  expect(answer).toContain("RINGMASTER_PUBLIC_URL=http://box.lan:3000");
});

test("a fixed name wins over a parameter", () => {
  expect(allowedMethods("/agents/tools/register")).toEqual(["OPTIONS", "POST"]);
  expect(allowedMethods("/api/openapi.json")).toEqual(["GET", "HEAD", "OPTIONS"]);
  expect(allowedMethods("/api/openapi-json")).toBe(null);
});
