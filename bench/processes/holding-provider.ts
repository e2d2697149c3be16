import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";

const Request = z.object({ messages: z.array(z.object({ role: z.string(), content: z.unknown() })) });

export type HoldingProvider = Awaited<ReturnType<typeof startHoldingProvider>>;

/**
 * A provider that answers a run's question after a delay and counts how often each was asked: in `steps` model calls,
 * all but the last of which call the tool `calculate`.
 */
export async function startHoldingProvider() {
  let held: readonly [number, number] = [0, 0];
  let steps = 1;
  const asked = new Map<string, number>();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { messages } = Request.parse(JSON.parse(await text(request)));
    const question = JSON.stringify(messages.findLast(({ role }) => role === "user")?.content);
    const step = messages.filter(({ role }) => role === "assistant").length + 1;
    const key = `${question} ${step}`;
    asked.set(key, (asked.get(key) ?? 0) + 1);
    await sleep(held[0] + Math.random() * (held[1] - held[0]));
    const call = {
      index: 0,
      id: `call_${step}`,
      type: "function",
      function: { name: "calculate", arguments: '{"expression":"1+1"}' },
    };
    const isLast = step >= steps;
    const delta = isLast ? { content: "Done." } : { tool_calls: [call] };
    const chunk = (choice: object, more = {}) =>
      `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 0, model: "m", choices: [{ index: 0, ...choice }], ...more })}\n\n`;
    const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(chunk({ delta: { role: "assistant", ...delta }, finish_reason: null }));
    response.write(chunk({ delta: {}, finish_reason: isLast ? "stop" : "tool_calls" }, { usage }));
    response.end("data: [DONE]\n\n");
  }

  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    /** Number of times each question was asked in each step. */
    asked,
    /** From now on answers take between these times, after `count` model calls in all. */
    reset(holdMs: readonly [number, number], count = 1) {
      held = holdMs;
      steps = count;
      asked.clear();
    },
    async close() {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
}
