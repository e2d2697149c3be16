import { buildResumeArray, HttpAgent, type RunAgentParameters } from "@ag-ui/client";
import type { AGUIEvent, Message } from "@ag-ui/core";
import { vi } from "vitest";
import * as agUi from "@/app/agents/[id]/ag-ui/route";
import { type ServedRoutes, serveRoutes } from "./serve-routes";

/** `/agents/{id}/ag-ui` on a loopback port. */
export function serveAgUi(): Promise<ServedRoutes> {
  return serveRoutes({ "/agents/[id]/ag-ui": agUi });
}

interface AgUiServer {
  readonly url: string;
  readonly key: string;
  readonly agentId: string;
}

/** AG-UI's own client, in a thread of its own, with the events that it got. */
export class AgUiClient extends HttpAgent {
  readonly events: AGUIEvent[] = [];

  constructor({ url, key, agentId }: AgUiServer) {
    super({
      url: `${url}/agents/${agentId}/ag-ui`,
      headers: { authorization: `Bearer ${key}` },
      threadId: crypto.randomUUID(),
    });
    this.subscribe({ onEvent: ({ event }) => void this.events.push(event as AGUIEvent) });
  }

  say(content: string, parameters: RunAgentParameters = {}) {
    this.addMessage({ id: crypto.randomUUID(), role: "user", content });
    return this.runAgent(parameters);
  }

  /** The same answer to every open interrupt. */
  answer(payload: object) {
    return this.runAgent(this.answers(payload));
  }

  answers(payload: object) {
    const open = this.pendingInterrupts;
    const responses = open.map(({ id }) => [id, { status: "resolved" as const, payload }]);
    return { resume: buildResumeArray(open, Object.fromEntries(responses)) };
  }

  /** Gives every open interrupt up. */
  cancellation(payload?: object) {
    const entry = { status: "cancelled" as const, ...(payload ? { payload } : {}) };
    return { resume: this.pendingInterrupts.map(({ id }) => ({ interruptId: id, ...entry })) };
  }

  /** The types of the events, each once where several follow one another. */
  get types(): string[] {
    return this.events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]);
  }
}

/** The error of a run that was refused or failed, which the client also writes to the console; null if there is none. */
export async function problemOf(running: Promise<unknown>): Promise<unknown> {
  const written = vi.spyOn(console, "error").mockReturnValue(undefined);
  const problem = await running.then(
    () => null,
    (error: unknown) => error,
  );
  written.mockRestore();
  return problem;
}

/** What the agent wrote. */
export function textsOf(messages: readonly Message[]): string[] {
  return messages.flatMap((message) => (message.role === "assistant" && message.content ? [message.content] : []));
}
