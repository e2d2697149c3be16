import "server-only";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { type ImportAgentsReply, RawConfig } from "@/lib/schema/agents/agent-api";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { AgentId } from "@/lib/schema/agents/agent-id";
import { PROMPT_FILE_NAMES, type PromptFile, PromptFileName } from "@/lib/schema/agents/prompt";
import { AppError } from "@/lib/schema/app-error";
import { storedText } from "@/lib/schema/plain-text";
import { parseInput } from "@/lib/server/http/reply";
import { database } from "@/lib/server/platform/db/database";
import { env } from "@/lib/server/platform/env";
import { logger } from "@/lib/server/platform/logger";
import { findWarnings } from "./config/find-warnings";
import { readConfigObject, readYaml, requireConfig, writeConfigYaml } from "./config/read-config";
import { createAgent, getCurrentVersion, hashConfig, publishChange } from "./publish-version";

const AGENTS_FILE = "agents.yaml";
const FILE_KEY = "agents_file_sha256";

const AgentsFile = z.strictObject({
  agents: z.union([z.record(AgentId, RawConfig), z.array(z.looseObject({ id: AgentId }))]),
  /** The agents' own prompt files by name (D-64). */
  prompt_files: z.record(AgentId, z.partialRecord(PromptFileName, storedText(200_000))).default({}),
});

/** A config at the top level of a file. */
const SingleAgent = z.looseObject({ name: z.string() });

interface Entry {
  readonly id: string;
  readonly raw: RawConfig;
  /** Null: a known agent keeps its files. */
  readonly files: readonly PromptFile[] | null;
}

/**
 * Imports `agents: {id: config, …}` (or a list with `id`) with `prompt_files: {id: {name: text}}`: an unknown id is
 * created, a known one gets a new version when its config or prompt files differ. A single agent at the top level gets
 * its id from the file's name: `default` from agents.yaml (D-74). All are checked before the first is written. Throws
 * `invalid_input` with the agent's id.
 */
export async function importAgents(
  text: string,
  createdById: string | null,
  fileName = AGENTS_FILE,
): Promise<ImportAgentsReply> {
  const entries = readEntries(text, fileName);
  const configs = entries.map(checkEntry);
  const agents: ImportAgentsReply["agents"] = [];
  for (const [index, entry] of entries.entries()) {
    const outcome = await importOne(entry, createdById);
    const config = configs[index];
    agents.push({ id: entry.id, outcome, warnings: config ? await findWarnings(config) : [] });
  }
  return { agents };
}

/** Imports `agents.yaml` from the data directory at start, only when the file itself has changed since (D-34). */
export async function importAgentsFile(): Promise<void> {
  const text = await readFile(path.join(env().dataDirectory, AGENTS_FILE), "utf8").catch(() => null);
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
      "agents.yaml was not imported: fix it and restart",
    );
  }
}

/** An agent in the form that `importAgents` accepts, including its prompt files. Throws `not_found`. */
export async function exportAgent(agentId: string): Promise<string> {
  const { raw, files } = await getCurrentVersion(agentId);
  const texts = Object.fromEntries(inOrder(files).map(({ name, content }) => [name, content]));
  const promptFiles = files.length === 0 ? {} : { prompt_files: { [agentId]: texts } };
  return writeConfigYaml({ agents: { [agentId]: raw }, ...promptFiles });
}

function readEntries(text: string, fileName: string): Entry[] {
  const value = readYaml(text);
  const single = SingleAgent.safeParse(value);
  if (single.success && !("agents" in single.data)) return [{ id: idOfFile(fileName), raw: single.data, files: null }];
  const { agents, prompt_files: files } = parseInput(AgentsFile, value, "body");
  const configs = Array.isArray(agents) ? agents.map(({ id, ...raw }) => [id, raw] as const) : Object.entries(agents);
  const unknown = Object.keys(files).find((id) => !configs.some(([known]) => known === id));
  if (unknown !== undefined) {
    throw new AppError("invalid_input", `prompt_files: there is no agent "${unknown}" in this text.`);
  }
  return configs.map(([id, raw]) => ({ id, raw, files: files[id] ? toPromptFiles(files[id]) : null }));
}

function idOfFile(fileName: string): string {
  const { base, name } = path.parse(fileName);
  if (base === AGENTS_FILE) return "default";
  return parseInput(z.object({ file: AgentId }), { file: name.toLowerCase().replaceAll(/[^a-z0-9_-]+/g, "-") }, "body")
    .file;
}

function toPromptFiles(texts: Partial<Record<PromptFileName, string>>): PromptFile[] {
  return PROMPT_FILE_NAMES.flatMap((name) => {
    const content = texts[name];
    return content === undefined ? [] : [{ name, content }];
  });
}

function inOrder(files: readonly PromptFile[]): PromptFile[] {
  return toPromptFiles(Object.fromEntries(files.map(({ name, content }) => [name, content])));
}

function checkEntry({ id, raw }: Entry): AgentConfig {
  try {
    return requireConfig(readConfigObject(raw));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, `Agent "${id}": ${error.message}`, error.options);
  }
}

async function importOne({ id, raw, files }: Entry, createdById: string | null) {
  const exists = await database().agent.findFirst({ where: { id, deletedAt: null }, select: { id: true } });
  if (!exists) {
    await createAgent({ agentId: id, raw, createdById, note: "Imported", files: files ?? [] });
    return "created" as const;
  }
  const current = await getCurrentVersion(id);
  const hasSameFiles = files === null || JSON.stringify(files) === JSON.stringify(inOrder(current.files));
  if (current.configHash === hashConfig(raw) && hasSameFiles) return "unchanged" as const;
  await publishChange(
    id,
    () => raw,
    { createdById, note: "Imported" },
    (known) => files ?? known,
  );
  return "updated" as const;
}
