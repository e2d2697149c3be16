import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { ScriptedAnswer } from "@/lib/testing/servers/scripted-openai-events";
import { type ScriptedServer, startScriptedServer } from "@/lib/testing/servers/scripted-openai-server";
import { BEATS, HANDOFF, MEMBERS, OTHERS, story } from "./story";

const PAUSE_MS = 450;

/** The provider of the models: each agent gets the replies of its story in order, the last one again and again. */
export async function startProvider(gate: Promise<void>): Promise<ScriptedServer> {
  const scripts = new Map<string, readonly ScriptedAnswer[]>([
    ["coder", story(gate)],
    ["ops", BEATS],
    ...Object.entries(HANDOFF.replies),
    ...Object.entries(MEMBERS),
    ...otherScripts(),
  ]);
  const asked = new Map<string, number>();
  return await startScriptedServer({
    record: false,
    eventDelayMs: 30,
    script: async ({ model = "" }) => {
      const number = asked.get(model) ?? 0;
      asked.set(model, number + 1);
      await sleep(PAUSE_MS);
      const replies = scripts.get(model) ?? [];
      return replies[Math.min(number, replies.length - 1)] ?? { text: "" };
    },
  });
}

/** Another program that takes events, but for those of one kind. */
export async function startDesk(): Promise<Server> {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const isTaken = !body.includes('"run.limit"');
      response.writeHead(isTaken ? 202 : 503, { "content-type": "application/json" });
      response.end(isTaken ? '{"queued": true}' : '{"error": "down for maintenance"}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

export function hostOf(server: Server): string {
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The replies to all of an agent's requests, in order. */
export function otherScripts(): [string, ScriptedAnswer[]][] {
  const agents = Map.groupBy(OTHERS, ([agentId]) => agentId);
  return [...agents].map(([id, threads]) => [id, threads.flatMap(([, , replies]) => replies)]);
}
