import "server-only";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { ImportAgentsBody, ImportAgentsReply } from "@/lib/schema/agents/agent-api";
import type { PromptFile } from "@/lib/schema/agents/prompt";
import { AppError } from "@/lib/schema/app-error";
import type { Database } from "@/lib/server/platform/db/database";
import { env } from "@/lib/server/platform/env";
import { logger } from "@/lib/server/platform/logger";
import type { Services } from "@/lib/server/platform/services";
import { nestYaml } from "@/lib/text/yaml/nest-yaml";
import { findWarnings } from "./config/find-warnings";
import { writeConfigYaml } from "./config/read-config";
import { AGENTS_FILE, type ImportEntry, type ImportProblem, readImport, toPromptFiles } from "./config/read-import";
import { createDraftAgent } from "./drafts/new-agent";
import { type AuditOfVersion, createAgent, getCurrentVersion, hashConfig, publishChange } from "./publish-version";
import { publishedSides } from "./published-sides";

const FILE_KEY = "agents_file_sha256";

/**
 * Imports `agents: {id: config, …}` (or a list with `id`) with `prompt_files: {id: {name: text}}`: an unknown id
 * creates an agent, a known one gets a new version if its config, its text or its prompt files differ. A single agent
 * at the top level gets its id from the file's name: `default` from agents.yaml (D-74). All agents are validated before
 * the first is written. Throws `invalid_input` with every problem, and `conflict` for an agent whose version differs
 * from the one in `baseVersions`.
 */
export async function importAgents(
  services: Services,
  text: string,
  createdById: string | null,
  { file = AGENTS_FILE, baseVersions = {}, draft = false }: Omit<ImportAgentsBody, "yaml" | "dryRun"> = {},
): Promise<ImportAgentsReply> {
  const { entries, problems } = readImport(services, text, file);
  refuse(problems, entries);
  const agents: ImportAgentsReply["agents"] = [];
  const ids = entries.map(({ id }) => id);
  for (const entry of entries) {
    const outcome =
      draft && createdById !== null
        ? await importDraft(services, entry, createdById)
        : await importOne(services, entry, createdById, baseVersions[entry.id]);
    agents.push({ id: entry.id, outcome, warnings: await warningsOf(services, entry, ids) });
  }
  return { agents, problems: [] };
}

/** What `importAgents` would do with the text, and every problem that prevents it. */
export async function planImport(services: Services, text: string, fileName = AGENTS_FILE): Promise<ImportAgentsReply> {
  const { entries, problems } = readImport(services, text, fileName);
  const ids = entries.map(({ id }) => id);
  const agents = await Promise.all(
    entries.map(async (entry) => ({
      id: entry.id,
      outcome: await outcomeOf(entry, await findCurrent(services.database, entry.id)),
      warnings: await warningsOf(services, entry, ids),
    })),
  );
  return { agents, problems: [...problems] };
}

function refuse(problems: readonly ImportProblem[], entries: readonly ImportEntry[]): void {
  const [first] = problems;
  if (!first) return;
  const whose = first.agentId === undefined ? "" : `Agent "${first.agentId}": `;
  const where = first.path === "" ? `Line ${first.line ?? 1}: ` : `${first.path}: `;
  // A config that only requires something not yet available still counts as readable.
  const isReadable = entries.length > 0 && entries.every(({ read }) => read.config !== null);
  const code = isReadable && problems.every(({ agentId }) => agentId !== undefined) ? "not_available" : "invalid_input";
  throw new AppError(code, `${whose}${where}${first.message}`, { details: problems });
}

function warningsOf(services: Services, { read }: ImportEntry, coming: readonly string[]) {
  return read.config ? findWarnings(services, read.config, coming) : [];
}

/**
 * Imports `agents.yaml` from the data directory at startup, only if the file has changed since the last import (D-34).
 */
export async function importAgentsFile(services: Services): Promise<void> {
  const text = await readFile(path.join(env().dataDirectory, AGENTS_FILE), "utf8").catch(() => null);
  if (text === null) return;
  const value = createHash("sha256").update(text).digest("hex");
  const known = await services.database.setting.findUnique({ where: { key: FILE_KEY } });
  if (known?.value === value) return;
  try {
    const { agents } = await importAgents(services, text, null);
    await services.database.setting.upsert({
      where: { key: FILE_KEY },
      create: { key: FILE_KEY, value },
      update: { value },
    });
    logger().info({ agents }, "imported agents.yaml");
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    logger().error(
      { problem: error.message, details: error.details },
      "agents.yaml was not imported: fix it and restart",
    );
  }
}

/** An agent in the form that `importAgents` accepts, including its prompt files and comments. Throws `not_found`. */
export async function exportAgent(
  services: Services,
  agentId: string,
  format: "yaml" | "json" = "yaml",
): Promise<string> {
  const { raw, yaml, files } = await getCurrentVersion(services.database, agentId);
  const texts = Object.fromEntries(inOrder(files).map(({ name, content }) => [name, content]));
  const promptFiles = files.length === 0 ? {} : { prompt_files: { [agentId]: texts } };
  const whole = { agents: { [agentId]: raw }, ...promptFiles };
  if (format === "json") return `${JSON.stringify(whole, null, 2)}\n`;
  const written = nestYaml(agentId, yaml) + (files.length === 0 ? "" : writeConfigYaml(promptFiles));
  const [read] = readImport(services, written, AGENTS_FILE).entries;
  // A text with directives or anchors may mean something else when embedded in another text.
  return isDeepStrictEqual(read?.raw, raw) ? written : writeConfigYaml(whole);
}

function inOrder(files: readonly PromptFile[]): PromptFile[] {
  return toPromptFiles(Object.fromEntries(files.map(({ name, content }) => [name, content])));
}

type Current = Awaited<ReturnType<typeof getCurrentVersion>>;

async function findCurrent(database: Database, id: string): Promise<Current | null> {
  const where = { id, deletedAt: null, currentVersionId: { not: null } };
  const exists = await database.agent.findFirst({ where, select: { id: true } });
  return exists && getCurrentVersion(database, id);
}

function outcomeOf({ raw, yaml, files }: ImportEntry, current: Current | null) {
  if (!current) return "created" as const;
  const hasSameFiles = files === null || JSON.stringify(files) === JSON.stringify(inOrder(current.files));
  const hasSameText = yaml === undefined || yaml.trimEnd() === current.yaml.trimEnd();
  const isSame = current.configHash === hashConfig(raw) && hasSameFiles && hasSameText;
  return isSame ? ("unchanged" as const) : ("updated" as const);
}

function auditOfImport(id: string, actorId: string): AuditOfVersion {
  return (version, before, raw) => ({
    actorId,
    action: before ? "agent.published" : "agent.created",
    target: `agent:${id}`,
    ...(before ? publishedSides(before, { number: version, raw }) : { after: { version, name: raw.name ?? id } }),
    details: { version, imported: true },
  });
}

/** New agents become drafts; known ones get a version, as without drafts. */
async function importDraft(services: Services, entry: ImportEntry, createdById: string) {
  const { id: agentId, raw, files } = entry;
  const isKnown = (await services.database.agent.count({ where: { id: agentId } })) > 0;
  if (isKnown) return importOne(services, entry, createdById);
  const yaml = entry.yaml ?? writeConfigYaml(raw);
  await createDraftAgent(services, { agentId, raw, yaml, files: files ?? [] }, { id: createdById });
  return "created" as const;
}

async function importOne(services: Services, entry: ImportEntry, createdById: string | null, baseVersion?: number) {
  const { id, raw, yaml, files } = entry;
  const outcome = outcomeOf(entry, await findCurrent(services.database, id));
  if (outcome === "unchanged") return outcome;
  const audit = createdById === null ? {} : { audit: auditOfImport(id, createdById) };
  const by = { createdById, note: "Imported", yaml, isImported: true, ...audit };
  if (outcome === "created") {
    await createAgent(services, { agentId: id, raw, files: files ?? [], mayBeDraft: true, ...by });
    return outcome;
  }
  await publishChange(
    services,
    id,
    ({ number }) => {
      if (baseVersion === undefined || baseVersion === number) return raw;
      throw new AppError(
        "conflict",
        `Version ${number} of "${id}" was published since you read it. Read it again first.`,
      );
    },
    { ...by, changeFiles: (known) => files ?? known },
  );
  return outcome;
}
