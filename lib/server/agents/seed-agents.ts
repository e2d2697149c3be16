import "server-only";
import type { RawConfig } from "@/lib/schema/agents/agent-api";
import { DEFAULT_AGENT } from "@/lib/schema/agents/agent-id";
import { AppError } from "@/lib/schema/app-error";
import { sandboxProbe } from "@/lib/server/files/sandbox-probe";
import type { Database } from "@/lib/server/platform/db/database";
import { settingOrInsert } from "@/lib/server/platform/db/queries/settings";
import { logger } from "@/lib/server/platform/logger";
import type { Services } from "@/lib/server/platform/services";
import { createAgent } from "./publish-version";

const SEEDED_KEY = "agents_seeded";
const DONE = "1";

/**
 * Creates the two agents of D-60, once in the life of a database: a deleted agent is never recreated. If a start is
 * interrupted (its port was taken), the next start finishes the job.
 */
export async function seedAgents(services: Services): Promise<void> {
  if ((await readProgress(services.database)) === DONE) return;
  for (const [agentId, raw] of Object.entries(seededConfigs(await firstBackend(services.database))))
    await seedAgent(services, agentId, raw);
  await services.database.setting.update({ where: { key: SEEDED_KEY }, data: { value: DONE } });
  logger().info({ agents: [DEFAULT_AGENT, "researcher"] }, "seeded the first agents");
}

/** An agent that already exists was created by an earlier start or by another process starting now. */
async function seedAgent(services: Services, agentId: string, raw: RawConfig): Promise<void> {
  try {
    await createAgent(services, { agentId, raw, createdById: null, note: "Made at the first start" });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "conflict") throw error;
  }
}

/** `begun` in a database that never had an agent, until `DONE`. */
async function readProgress(database: Database): Promise<string | undefined> {
  const first = (await database.agent.count()) > 0 ? DONE : "begun";
  return settingOrInsert(database, SEEDED_KEY, first);
}

/**
 * `local` offers commands as soon as a sandbox works, so one process without one is not left behind once it is
 * installed. Of several processes each would keep those files in a folder of its own: there it must be worth it.
 */
async function firstBackend(database: Database): Promise<SeededBackend> {
  const { available } = await sandboxProbe();
  return available || database.dialect.provider === "sqlite" ? "local" : "state";
}

type SeededBackend = "local" | "state";

/** The configs, the default agent's with this backend. */
export function seededConfigs(backend: SeededBackend): Record<string, RawConfig> {
  return {
    [DEFAULT_AGENT]: {
      name: "Assistant",
      description: "Plans, works with files and the web, runs commands and remembers what matters.",
      system_prompt: ASSISTANT_PROMPT,
      tools: ["calculate", "current_datetime", "ask_user", "schedule", "web_fetch", "web_search"],
      backend: { type: backend },
      memory: { paths: ["AGENTS.md"] },
      memory_flush: { always: true },
      compaction: { min_ratio: 0.25 },
      skills: { paths: ["skills"] },
      permissions: { enabled: true, mode: "accept_edits", ask: ["execute"], allow: KNOWN_ADDRESSES },
      subagents: ["researcher"],
      delegates: ["researcher"],
    },
    researcher: {
      name: "Researcher",
      description: "Looks into one question thoroughly and reports what it found.",
      system_prompt: RESEARCHER_PROMPT,
      tools: ["calculate", "web_fetch", "web_search"],
      permissions: { enabled: true, mode: "accept_edits", allow: KNOWN_ADDRESSES },
      backend: { type: "state" },
      compaction: { min_ratio: 0.25 },
    },
  };
}

/** Nobody is asked about pages that a person or a search named, nor about a search once one was allowed (D-107). */
const KNOWN_ADDRESSES = ["web_fetch", "web_search"].map((tool) => ({ tool, addresses: "known" }));

const ASSISTANT_PROMPT = `You are a capable assistant with a workspace of your own.

Plan work of more than two steps with write_todos and keep the plan up to date. Read a file before you change it. Check what you did before you say that it is done, and say plainly what you could not do. Keep answers short unless asked for more.`;

const RESEARCHER_PROMPT = `You are a careful researcher. Work on the one question you are given: gather what is known in your workspace, reason step by step, and keep notes in files when the material is long. Separate what you found from what you conclude, name what remains uncertain, and end with a short answer.`;
