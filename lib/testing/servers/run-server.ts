import { createParser } from "eventsource-parser";
import { createAgent } from "@/lib/server/agents/publish-version";
import { setShuttingDown } from "@/lib/server/engine/log/signals";
import { forgetProcessState } from "@/lib/server/platform/process-state";
import { startProcessHost, stopProcessHost } from "@/lib/server/wiring/process-host";
import type { TestDatabase } from "@/lib/testing/databases/test-database";
import {
  type ScriptedServer,
  type ScriptedServerOptions,
  startScriptedServer,
} from "@/lib/testing/servers/scripted-openai-server";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

export interface RunServer extends TestServer {
  readonly provider: ScriptedServer;
  /** Stops the host and starts another, as the next process would. */
  restart(): Promise<void>;
}

/**
 * Route handlers with everything behind them: the process's host executes runs of the agents `coder` (files in rows,
 * `write_todos`) and `plain` against a scripted provider, with `environment` as additional variables. One at a time per
 * process.
 */
export async function startRunServer(
  script: ScriptedServerOptions["script"],
  environment: Record<string, string> = {},
  open?: () => Promise<TestDatabase>,
): Promise<RunServer> {
  const provider = await startScriptedServer({ script });
  for (const name of ["sandbox-probe", "docker-backend", "docker-probes"]) forgetProcessState(name);
  setShuttingDown(false);
  const server = await startTestServer({ RINGMASTER_SCRIPTED_MODEL_URL: provider.url, ...environment }, open);
  const base = { model: "scripted:m", retries: 0 };
  const coder = { ...base, name: "Coder", system_prompt: "You code.", backend: { type: "state" } };
  await createAgent(server.services, { agentId: "coder", raw: coder, createdById: null });
  await createAgent(server.services, { agentId: "plain", raw: { ...base, name: "Plain" }, createdById: null });
  await startProcessHost(server.services);
  return {
    ...server,
    provider,
    restart: async () => {
      await stopProcessHost(server.services);
      server.services.states.delete("run-host");
      setShuttingDown(false);
      await startProcessHost(server.services);
    },
    close: async () => {
      await stopProcessHost(server.services);
      await server.close();
      await provider.close();
    },
  };
}

export interface SentEvent {
  readonly id?: number;
  readonly event?: string;
  readonly data: unknown;
}

/** The events of a finished `text/event-stream` body. */
export function parseEventStream(text: string): SentEvent[] {
  const events: SentEvent[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) =>
      events.push({
        ...(id === undefined ? {} : { id: Number(id) }),
        ...(event === undefined ? {} : { event }),
        data: data.startsWith("{") ? JSON.parse(data) : data,
      }),
  });
  parser.feed(text);
  return events;
}
