import "server-only";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { type ImportAgentsReply, RawConfig } from "@/lib/schema/agent-api";
import { AgentId } from "@/lib/schema/agent-config";
import { AppError } from "@/lib/schema/app-error";
import { database } from "../db";
import { env } from "../env";
import { logger } from "../logger";
import { parseInput } from "../reply";
import { createAgent, getCurrentVersion, hashConfig, publishChange } from "./publish-version";
import { readConfigObject, readYaml, requireConfig, writeConfigYaml } from "./read-config";

const FILE_KEY = "agents_file_sha256";

const AgentsFile = z.strictObject({
  agents: z.union([z.record(AgentId, RawConfig), z.array(z.looseObject({ id: AgentId }))]),
});

/**
 * Imports `agents: {id: config, …}` (or a list with `id`): an unknown id is made, a known one gets a new version when
 * its config differs. All are checked before the first is written. Throws `invalid_input` with the agent's id.
 */
export async function importAgents(text: string, createdById: string | null): Promise<ImportAgentsReply> {
  const entries = readEntries(text);
  for (const [id, raw] of entries) checkEntry(id, raw);
  const agents: ImportAgentsReply["agents"] = [];
  for (const [id, raw] of entries) agents.push({ id, outcome: await importOne(id, raw, createdById) });
  return { agents };
}

/** Imports `agents.yaml` of the data directory at start, only when the file itself has changed since (D-34). */
export async function importAgentsFile(): Promise<void> {
  const text = await readFile(path.join(env().dataDirectory, "agents.yaml"), "utf8").catch(() => null);
  if (text === null) return;
  const value = createHash("sha256").update(text).digest("hex");
  const known = await database().setting.findUnique({ where: { key: FILE_KEY } });
  if (known?.value === value) return;
  try {
    const { agents } = await importAgents(text, null);
    await database().setting.upsert({ where: { key: FILE_KEY }, create: { key: FILE_KEY, value }, update: { value } });
    logger().info({ agents }, "imported agents.yaml");
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    logger().error(
      { problem: error.message, details: error.details },
      "agents.yaml was not imported: mend it and restart",
    );
  }
}

/** An agent in the form that `importAgents` takes. Throws `not_found`. */
export async function exportAgent(agentId: string): Promise<string> {
  const { raw } = await getCurrentVersion(agentId);
  return writeConfigYaml({ agents: { [agentId]: raw } });
}

function readEntries(text: string): [string, RawConfig][] {
  const { agents } = parseInput(AgentsFile, readYaml(text), "body");
  if (!Array.isArray(agents)) return Object.entries(agents);
  return agents.map(({ id, ...raw }) => [id, raw]);
}

function checkEntry(id: string, raw: RawConfig): void {
  try {
    requireConfig(readConfigObject(raw));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, `Agent "${id}": ${error.message}`, error.options);
  }
}

async function importOne(id: string, raw: RawConfig, createdById: string | null) {
  const exists = await database().agent.findFirst({ where: { id, deletedAt: null }, select: { id: true } });
  if (!exists) {
    await createAgent({ agentId: id, raw, createdById, note: "Imported" });
    return "created" as const;
  }
  const current = await getCurrentVersion(id);
  if (current.configHash === hashConfig(raw)) return "unchanged" as const;
  await publishChange(id, () => raw, { createdById, note: "Imported" });
  return "updated" as const;
}
