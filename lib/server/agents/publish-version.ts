import "server-only";
import { createHash } from "node:crypto";
import { z } from "zod";
import type { RawConfig } from "@/lib/schema/agents/agent-api";
import { PromptFile } from "@/lib/schema/agents/prompt";
import { AppError } from "@/lib/schema/app-error";
import { createId } from "@/lib/server/platform/create-id";
import { database } from "@/lib/server/platform/db/database";
import { isTaken } from "@/lib/server/platform/db/errors";
import { atOnce, retry } from "@/lib/server/platform/retry";
import { readConfigObject, requireConfig } from "./config/read-config";

/** The published version of an agent with its config as it was submitted. */
export interface CurrentVersion {
  readonly id: string;
  readonly number: number;
  readonly raw: RawConfig;
  readonly configHash: string;
  readonly files: readonly PromptFile[];
}

interface NewVersion {
  readonly agentId: string;
  readonly raw: RawConfig;
  /** Null for what the server itself creates. */
  readonly createdById: string | null;
  readonly note?: string;
  readonly files?: readonly PromptFile[];
}

/** How many times somebody else may publish first. */
const MAX_RETRIES = 4;

/** Creates an agent with version 1, or the next version after a deletion. Throws `conflict` when the id is in use. */
export async function createAgent({ agentId, raw, createdById, note, files = [] }: NewVersion): Promise<number> {
  requireConfig(readConfigObject(raw));
  const existing = await database().agent.findUnique({
    where: { id: agentId },
    select: { deletedAt: true, versions: { orderBy: { number: "desc" }, take: 1, select: { number: true } } },
  });
  if (existing && !existing.deletedAt) throw exists(agentId);
  const number = (existing?.versions[0]?.number ?? 0) + 1;
  const version = versionRow({ agentId, raw, createdById, note }, number);
  const point = { currentVersionId: version.id, deletedAt: null };
  try {
    await database().$transaction([
      existing
        ? database().agent.update({ where: { id: agentId }, data: { deletedAt: null } })
        : database().agent.create({ data: { id: agentId } }),
      database().agentVersion.create({ data: version }),
      insertFiles(version.id, files),
      database().agent.update({ where: { id: agentId }, data: point }),
    ]);
  } catch (error) {
    if (isTaken(error)) throw exists(agentId);
    throw error;
  }
  return number;
}

/**
 * Publishes the result of `change` on the current config as a new immutable version. `change` runs again on the newer
 * config when someone else publishes at the same time, so no change is lost. The prompt files are published with it,
 * as `changeFiles` returns them. Throws `not_found` and `invalid_input`.
 */
export async function publishChange(
  agentId: string,
  change: (current: CurrentVersion) => RawConfig,
  by: { createdById: string | null; note?: string },
  changeFiles: (files: readonly PromptFile[]) => readonly PromptFile[] = (files) => files,
): Promise<number> {
  const publish = async () => {
    const current = await getCurrentVersion(agentId);
    const raw = change(current);
    requireConfig(readConfigObject(raw));
    const version = versionRow({ agentId, raw, ...by }, current.number + 1);
    await database().$transaction([
      database().agentVersion.create({ data: version }),
      insertFiles(version.id, changeFiles(current.files)),
      database().agent.update({ where: { id: agentId }, data: { currentVersionId: version.id } }),
    ]);
    return version.number;
  };
  return retry(publish, { when: isTaken, delays: atOnce(MAX_RETRIES) });
}

/** The published version. Throws `not_found` for an unknown or deleted agent. */
export async function getCurrentVersion(agentId: string): Promise<CurrentVersion> {
  const agent = await database().agent.findFirst({
    where: { id: agentId, deletedAt: null },
    select: { currentVersionId: true },
  });
  const row = agent?.currentVersionId
    ? await database().agentVersion.findUnique({ where: { id: agent.currentVersionId }, include: { files: true } })
    : null;
  if (!row) throw new AppError("not_found", `There is no agent "${agentId}".`);
  const { id, number, config, configHash } = row;
  return { id, number, raw: JSON.parse(config), configHash, files: z.array(PromptFile).parse(row.files) };
}

/** What two configs must have in common to be the same. */
export function hashConfig(raw: RawConfig): string {
  return createHash("sha256").update(JSON.stringify(raw)).digest("hex");
}

function insertFiles(agentVersionId: string, files: readonly PromptFile[]) {
  return database().agentVersionFile.createMany({
    data: files.map(({ name, content }) => ({ agentVersionId, name, content })),
  });
}

function versionRow({ agentId, raw, createdById, note }: Omit<NewVersion, "files">, number: number) {
  return {
    id: createId("av"),
    agentId,
    number,
    config: JSON.stringify(raw),
    configHash: hashConfig(raw),
    note: note ?? null,
    createdById,
  };
}

function exists(agentId: string): AppError {
  return new AppError("conflict", `An agent with the id "${agentId}" already exists.`);
}
