import "server-only";
import { createHash } from "node:crypto";
import { z } from "zod";
import type { RawConfig } from "@/lib/schema/agents/agent-api";
import { PromptFile } from "@/lib/schema/agents/prompt";
import { AppError } from "@/lib/schema/app-error";
import type { AuditRecord } from "@/lib/server/platform/audit-columns";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { isTaken } from "@/lib/server/platform/db/errors";
import {
  changeAgentStatement,
  endDraftStatement,
  insertAgentStatement,
  insertGroupAgentStatement,
  insertVersionStatements,
} from "@/lib/server/platform/db/queries/agent-versions";
import { auditStatement } from "@/lib/server/platform/db/queries/audit";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { atOnce, retry } from "@/lib/server/platform/retry";
import type { Services } from "@/lib/server/platform/services";
import { scheduleStatements } from "@/lib/server/triggers/schedules/config-schedules";
import { mergeYaml } from "@/lib/text/yaml/merge-yaml";
import { readConfigObject, requireConfig, writeConfigYaml } from "./config/read-config";

/** A config as it was submitted, with its YAML text. */
export interface WrittenConfig {
  readonly raw: RawConfig;
  readonly yaml: string;
}

/** The content of a version or a draft. */
export interface VersionSource {
  readonly raw: RawConfig;
  readonly files: readonly PromptFile[];
}

/** The published version of an agent. */
export interface CurrentVersion extends WrittenConfig, VersionSource {
  readonly id: string;
  readonly number: number;
  readonly configHash: string;
  readonly createdAt: Date;
  readonly createdById: string | null;
}

interface NewVersion {
  readonly agentId: string;
  readonly raw: RawConfig;
  /** Default: the plain YAML of `raw`. */
  readonly yaml?: string;
  /** Null if the server itself created it. */
  readonly createdById: string | null;
  readonly note?: string;
  readonly files?: readonly PromptFile[];
  /** The groups the agent belongs to from the start. */
  readonly groupIds?: readonly string[];
  /** Stored along with the version. */
  readonly audit?: AuditOfVersion;
  /** An unpublished agent of this id gets the version, and keeps its draft; else its id is in use. */
  readonly mayBeDraft?: boolean;
  /** Imported from elsewhere: its schedules arrive switched off. */
  readonly isImported?: boolean;
}

/** The audit log entry for a new version, given the version it replaces. */
export type AuditOfVersion = (number: number, before: CurrentVersion | null, raw: RawConfig) => AuditRecord;

/** Versions with a number; the others are snapshots of drafts used by test runs. */
export const PUBLISHED = { number: { not: null } } as const;

/** How many lost races against other publishers are retried. */
const MAX_RETRIES = 4;

/** Creates an agent with version 1, or the next version after a deletion. Throws `conflict` if the id is in use. */
export async function createAgent(services: Services, version: NewVersion): Promise<number> {
  const { files = [], groupIds = [], audit, mayBeDraft = false, ...written } = version;
  const { agentId, raw } = written;
  const config = requireConfig(readConfigObject(services, raw));
  const existing = await services.database.agent.findUnique({
    where: { id: agentId },
    select: {
      deletedAt: true,
      currentVersionId: true,
      versions: { where: PUBLISHED, orderBy: { number: "desc" }, take: 1, select: { number: true } },
    },
  });
  if (existing && !existing.deletedAt && !(mayBeDraft && existing.currentVersionId === null)) throw exists(agentId);
  const number = (existing?.versions[0]?.number ?? 0) + 1;
  const row = versionRow(written, number);
  const schedules = await scheduleStatements(services.database, config.schedules, toPublished(written));
  const now = row.createdAt;
  try {
    await services.database.runAll([
      ...(existing ? [] : [insertAgentStatement({ id: agentId, createdAt: now, updatedAt: now })]),
      ...insertVersionStatements(row, files),
      ...(existing?.deletedAt ? [endDraftStatement(agentId, now)] : []),
      ...groupIds.map((groupId) => insertGroupAgentStatement(groupId, agentId)),
      changeAgentStatement(agentId, { currentVersionId: row.id, deletedAt: null, updatedAt: now }),
      ...schedules,
      ...(audit ? [auditStatement(audit(number, null, raw))] : []),
    ]);
  } catch (error) {
    if (isTaken(error)) throw exists(agentId);
    throw error;
  }
  return number;
}

interface Publication extends Pick<NewVersion, "createdById" | "note" | "yaml" | "audit" | "isImported"> {
  /** Default: they stay as they are. */
  readonly changeFiles?: (files: readonly PromptFile[]) => readonly PromptFile[];
}

/**
 * Publishes the result of `change` on the current config as a new immutable version. If someone else publishes at the
 * same time, `change` runs again on the newer config, so no change is lost. `yaml` is the text of the new config;
 * without it, the current text is edited. The prompt files returned by `changeFiles` are published along with it.
 * Throws `not_found` and `invalid_input`.
 */
export async function publishChange(
  services: Services,
  agentId: string,
  change: (current: CurrentVersion) => RawConfig,
  { yaml, audit, changeFiles = (files) => files, ...by }: Publication,
): Promise<number> {
  const publish = async () => {
    const current = await getCurrentVersion(services.database, agentId);
    const raw = change(current);
    const { schedules } = requireConfig(readConfigObject(services, raw));
    const text = yaml ?? mergeYaml(current.yaml, raw);
    const version = versionRow({ agentId, raw, yaml: text, ...by }, current.number + 1);
    await services.database.runAll([
      ...versionStatements(version, changeFiles(current.files)),
      ...(await scheduleStatements(services.database, schedules, toPublished({ agentId, ...by }))),
      ...(audit ? [auditStatement(audit(version.number, current, raw))] : []),
    ]);
    return version.number;
  };
  return retry(publish, { when: isTaken, delays: atOnce(MAX_RETRIES) });
}

/** The published version. Throws `not_found` for an unknown or deleted agent. */
export async function getCurrentVersion(database: Database, agentId: string): Promise<CurrentVersion> {
  const agent = await database.agent.findFirst({
    where: { id: agentId, deletedAt: null },
    select: { currentVersionId: true },
  });
  const row = agent?.currentVersionId
    ? await database.agentVersion.findUnique({ where: { id: agent.currentVersionId }, include: { files: true } })
    : null;
  if (!row) throw new AppError("not_found", `There is no agent "${agentId}".`);
  const { id, number, configHash, createdAt, createdById } = row;
  if (number === null) throw new Error("a draft is an agent's current version");
  const files = z.array(PromptFile).parse(row.files);
  return { id, number, configHash, createdAt, createdById, files, ...writtenConfig(row) };
}

/** The content of the version with this id. Throws `not_found`. */
export async function getVersionSource(database: Database, id: string): Promise<VersionSource & WrittenConfig> {
  const row = await database.agentVersion.findUnique({ where: { id }, include: { files: true } });
  if (!row) throw new AppError("not_found", "This version of the agent does not exist.");
  return { ...writtenConfig(row), files: z.array(PromptFile).parse(row.files) };
}

/** The config of a row and its text; a row from before texts were stored gets YAML generated from its config. */
export function writtenConfig(row: { readonly config: string; readonly yaml: string | null }): WrittenConfig {
  const raw: RawConfig = JSON.parse(row.config);
  return { raw, yaml: row.yaml ?? writeConfigYaml(raw) };
}

/** The hash that equal configs share. */
export function hashConfig(raw: RawConfig): string {
  return createHash("sha256").update(JSON.stringify(raw)).digest("hex");
}

function toPublished({ agentId, createdById, isImported }: Pick<NewVersion, "agentId" | "createdById" | "isImported">) {
  return { agentId, ownerId: createdById, isImported: isImported ?? false };
}

/** The statements that add a version and make it the current one. */
export function versionStatements(version: VersionRow, files: readonly PromptFile[]): SqlStatement[] {
  const { id: currentVersionId, agentId, createdAt: updatedAt } = version;
  return [...insertVersionStatements(version, files), changeAgentStatement(agentId, { currentVersionId, updatedAt })];
}

type VersionRow = ReturnType<typeof versionRow>;

/** A new version as stored in the database. */
export function versionRow(written: Omit<NewVersion, "files">, number: number) {
  const { agentId, raw, yaml = writeConfigYaml(raw), createdById, note } = written;
  return {
    id: createId("av"),
    agentId,
    number,
    config: JSON.stringify(raw),
    configHash: hashConfig(raw),
    yaml,
    note: note ?? null,
    createdById,
    createdAt: new Date(),
  };
}

function exists(agentId: string): AppError {
  return new AppError("conflict", `An agent with the id "${agentId}" already exists.`);
}
