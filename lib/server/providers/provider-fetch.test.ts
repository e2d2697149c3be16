import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { Agent, type Dispatcher, getGlobalDispatcher, setGlobalDispatcher } from "undici";
import { afterEach, expect, test } from "vitest";
import { aiSdkModel } from "@/lib/models/ai-sdk-model";
import { createLanguageModel } from "@/lib/models/language-model";
import { REPLY_LIMITS } from "@/lib/testing/servers/ask-scripted-server";
import { providerFetch } from "./provider-fetch";

const servers: Server[] = [];
function close() {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
}
afterEach(close);

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const post = (url: string, signal?: AbortSignal) =>
  providerFetch(url, { method: "POST", body: "ask", headers: { authorization: "Bearer k" }, signal });

test("posts the text with its headers and gives status, headers and body", async () => {
  const url = await serve((request, response) => {
    response.writeHead(429, { "retry-after": "7", "set-cookie": ["a=1", "b=2"] });
    response.write(`${request.method} ${request.headers.authorization} `);
    request.pipe(response);
  });
  const response = await post(url);
  expect([response.ok, response.status, response.statusText]).toEqual([false, 429, "Too Many Requests"]);
  expect(response.headers.get("retry-after")).toBe("7");
  expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(await response.text()).toBe("POST Bearer k ask");
});

test("follows an address that has moved", async () => {
  const url = await serve((request, response) => {
    if (request.url === "/v1") response.writeHead(307, { location: "/v2" }).end();
    else request.pipe(response);
  });
  expect(await (await post(url)).text()).toBe("ask");
});

test("reads an answer that is compressed although nobody asked for it", async () => {
  const url = await serve((_, response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("packed"));
  });
  expect(await (await post(url)).text()).toBe("packed");
});

test("fails like fetch when nobody listens, and when the connection breaks in the middle", async () => {
  const url = await serve((_, response) => void response.write("half", () => setImmediate(() => response.destroy())));
  await expect((await post(url)).text()).rejects.toMatchObject({ name: "TypeError", message: "terminated" });
  close();
  const refused = { name: "TypeError", message: "fetch failed", cause: { code: "ECONNREFUSED" } };
  await expect(post(url)).rejects.toMatchObject(refused);
});

test("an abort ends the wait for the answer and the reading of it, with the caller's reason", async () => {
  const reason = new Error("enough");
  const waits = new AbortController();
  const silent = await serve(() => waits.abort(reason));
  await expect(post(silent, waits.signal)).rejects.toBe(reason);
  close();
  const reads = new AbortController();
  const endless = await serve((_, response) => void response.write("first"));
  const reader = (await post(endless, reads.signal)).body?.getReader();
  await reader?.read();
  reads.abort(reason);
  await expect(reader?.read()).rejects.toBe(reason);
});

test("a reader that stops closes the connection", async () => {
  let closed: Promise<unknown> = Promise.resolve();
  const url = await serve((_, response) => {
    closed = new Promise((resolve) => response.once("close", resolve));
    response.write("first");
  });
  const reader = (await post(url)).body?.getReader();
  await reader?.read();
  await reader?.cancel();
  await closed;
});

test("an answer without a body is one", async () => {
  const url = await serve((_, response) => response.writeHead(204).end());
  const response = await post(url);
  expect([response.status, response.body]).toEqual([204, null]);
});

test("how long a model may be silent is for the caller to say", async () => {
  const limits: (number | null | undefined)[] = [];
  class Watching extends Agent {
    override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
      limits.push(options.headersTimeout, options.bodyTimeout);
      return super.dispatch(options, handler);
    }
  }
  const before = getGlobalDispatcher();
  const watching = new Watching();
  setGlobalDispatcher(watching);
  try {
    const url = await serve((_, response) => response.end("late"));
    expect(await (await post(url)).text()).toBe("late");
  } finally {
    setGlobalDispatcher(before);
    await watching.close();
  }
  expect(limits).toEqual([0, 0]);
});

test("a redirect to another host is not followed: neither key nor conversation goes there", async () => {
  const received: string[] = [];
  const elsewhere = await serve((request, response) => {
    received.push(String(request.headers["x-api-key"]));
    response.end("{}");
  });
  const url = await serve((_, response) => response.writeHead(307, { location: `${elsewhere}/v1` }).end());
  const sent = { method: "POST", headers: { "x-api-key": "sk-secret" }, body: "the conversation" };
  const answers = [
    await providerFetch(url, sent),
    await providerFetch(url, { ...sent, method: "GET", body: undefined }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([307, 307]);
  expect(answers[0]?.headers.get("location")).toBe(`${elsewhere}/v1`);
  expect(received).toEqual([]);
});

test("a redirect within the same origin is not followed for ever", async () => {
  let hops = 0;
  const url = await serve((_, response) => {
    hops += 1;
    response.writeHead(308, { location: "/again" }).end();
  });
  expect((await post(url)).status).toBe(308);
  expect(hops).toBe(6);
});

/** Reads the whole answer, so that its connection is free for the next request. */
async function readAnswer(url: string): Promise<string> {
  const text = await (await post(url)).text();
  await nextTurn();
  return text;
}

/** Answers a connection's first request; `onSecond` receives its second. */
async function serveOnceEach(onSecond: (socket: Socket, response: ServerResponse) => void) {
  const requests = new Map<Socket, number>();
  const url = await serve((request, response) => {
    const count = (requests.get(request.socket) ?? 0) + 1;
    requests.set(request.socket, count);
    if (count > 1) return onSecond(request.socket, response);
    request.resume().on("end", () => response.end(`answer of connection ${requests.size}`));
  });
  return { url, count: () => [...requests.values()] };
}

test("asks again when a kept-alive connection closes at that moment, before a byte of the answer", async () => {
  const { url, count } = await serveOnceEach((socket) => void socket.destroy());
  expect(await readAnswer(url)).toBe("answer of connection 1");
  expect(await readAnswer(url)).toBe("answer of connection 2");
  expect(count()).toEqual([2, 1]);
});

test("asks again when that connection is reset", async () => {
  const { url, count } = await serveOnceEach((socket) => void socket.resetAndDestroy());
  await readAnswer(url);
  expect(await readAnswer(url)).toBe("answer of connection 2");
  expect(count()).toEqual([2, 1]);
});

test("asks only once over a new connection, and once an answer has begun", async () => {
  let asked = 0;
  const closing = await serve((request) => {
    asked += 1;
    request.socket.destroy();
  });
  await expect(post(closing)).rejects.toMatchObject({ name: "TypeError", message: "fetch failed" });
  expect(asked).toBe(1);
  close();
  const { url, count } = await serveOnceEach((socket, response) => {
    response.write("half", () => setImmediate(() => socket.destroy()));
  });
  await readAnswer(url);
  await expect(readAnswer(url)).rejects.toMatchObject({ message: "terminated" });
  expect(count()).toEqual([2]);
});

test("a provider that sends comments while it works is not silent", async () => {
  const url = await serve((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    let left = 20;
    const timer = setInterval(() => {
      left -= 1;
      if (left > 0) return void response.write(": working\n\n");
      clearInterval(timer);
      response.end(`data: {"choices":[{"delta":{"content":"done"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`);
    }, 50);
  });
  const connection = { model: "m", baseUrl: url, apiKey: null, fetch: providerFetch };
  const { languageModel, dialect } = createLanguageModel("openai-compatible", connection);
  const identity = { provider: "p", model: "m", baseUrl: url, keySource: "KEY", redact: (text: string) => text };
  const model = aiSdkModel(languageModel, {
    identity,
    dialect,
    timeouts: { model_ms: 20_000, idle_ms: 500 },
    replyLimits: REPLY_LIMITS,
  });
  const request = { system: [], messages: [{ role: "user" as const, content: "hello" }], tools: [] };
  const options = { signal: new AbortController().signal };
  const reply = await model.call({ ...request, maxTokens: 10, temperature: null }, options);
  expect(reply.content).toBe("done");
});

test.each(["text/event-stream", "application/json"])(
  "an answer of %s without end in one piece is cut",
  async (type) => {
    let sentBytes = 0;
    const url = await serve((_, response) => {
      response.writeHead(200, { "content-type": type });
      const more = () => {
        while (!response.destroyed && sentBytes < 200_000_000) {
          sentBytes += 1_000_000;
          if (!response.write("x".repeat(1_000_000))) return void response.once("drain", more);
        }
        response.end();
      };
      more();
    });
    await expect((await post(url)).text()).rejects.toThrow("40,000,000 bytes in one piece");
    expect(sentBytes).toBeLessThan(100_000_000);
  },
);
