import "server-only";
import type { RawConfig } from "@/lib/schema/agent-api";
import { database } from "../db";
import { sandboxProbe } from "../files/sandbox-probe";
import { logger } from "../logger";
import { createAgent } from "./publish-version";

const SEEDED_KEY = "agents_seeded";

/** Makes the two agents of D-60, once in the life of a database: a deleted one never comes back by itself. */
export async function seedAgents(): Promise<void> {
  const isFirst = await claimSeeding();
  if (!isFirst || (await database().agent.count()) > 0) return;
  const { available } = await sandboxProbe();
  for (const [agentId, raw] of Object.entries(seededConfigs(available))) {
    await createAgent({ agentId, raw, createdById: null, note: "Made at the first start" });
  }
  logger().info({ agents: ["default", "researcher"] }, "seeded the first agents");
}

/** The configs; the default agent can only run commands where a sandbox works. */
export function seededConfigs(hasSandbox: boolean): Record<string, RawConfig> {
  return {
    default: {
      name: "Assistant",
      description: "Plans, works with files, runs commands and remembers what matters.",
      system_prompt: ASSISTANT_PROMPT,
      tools: ["calculate", "current_datetime", "ask_user"],
      backend: { type: hasSandbox ? "local" : "state" },
      memory: { paths: ["AGENTS.md"] },
      memory_flush: { always: true },
      skills: { paths: ["skills"] },
      permissions: { enabled: true, mode: "accept_edits", ask: ["execute"] },
      subagents: ["researcher"],
    },
    researcher: {
      name: "Researcher",
      description: "Looks into one question thoroughly and reports what it found.",
      system_prompt: RESEARCHER_PROMPT,
      tools: ["calculate"],
      backend: { type: "state" },
    },
  };
}

const ASSISTANT_PROMPT = `You are a capable assistant with a workspace of your own.

Plan work of more than two steps with write_todos and keep the plan up to date. Read a file before you change it. Check what you did before you say that it is done, and say plainly what you could not do. Keep answers short unless asked for more.`;

const RESEARCHER_PROMPT = `You are a careful researcher. Work on the one question you are given: gather what is known in your workspace, reason step by step, and keep notes in files when the material is long. Separate what you found from what you conclude, name what remains uncertain, and end with a short answer.`;

/** Of several processes that start at once one seeds. */
async function claimSeeding(): Promise<boolean> {
  const rows = await database().raw(
    `insert into "setting" ("key", "value", "updatedAt") values ($1, $2, $3) on conflict ("key") do nothing returning "key"`,
    [SEEDED_KEY, "1", new Date()],
  );
  return rows.length > 0;
}
