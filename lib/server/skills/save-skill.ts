import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { SkillSource } from "@/lib/schema/skills/skill";
import { auditQuery } from "@/lib/server/audit/audit-log";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { isNotFound, isTaken } from "@/lib/server/platform/db/errors";
import type { Services } from "@/lib/server/platform/services";
import type { SkillPackage } from "./skill-package";

/** A file whose bytes are already a blob. */
export interface StoredSkillFile {
  readonly path: string;
  readonly hash: string;
  readonly sizeBytes: number;
}

/** The existing state of a skill; `contentHash` is the newest version's. */
export interface Installed {
  readonly id: string;
  readonly version: number;
  readonly isDeleted: boolean;
  readonly contentHash: string;
}

/** The existing state of a skill, deleted or not. */
export async function findInstalled(database: Database, name: string): Promise<Installed | null> {
  const row = await database.skill.findUnique({
    where: { name },
    select: {
      id: true,
      version: true,
      deletedAt: true,
      versions: { orderBy: { number: "desc" }, take: 1, select: { contentHash: true } },
    },
  });
  if (!row) return null;
  const { id, version, deletedAt, versions } = row;
  return { id, version, isDeleted: deletedAt !== null, contentHash: versions[0]?.contentHash ?? "" };
}

interface Save {
  readonly skill: Pick<SkillPackage, "name" | "description" | "sizeBytes">;
  readonly source: SkillSource;
  readonly contentHash: string;
  /** Empty if the version already exists. */
  readonly files: readonly StoredSkillFile[];
  readonly version: number;
  readonly before: Installed | null;
  /** Null if the server itself creates it. */
  readonly viewerId: string | null;
  /** The audit log entry, written in the same transaction. */
  readonly audit?: { readonly action: string; readonly details: Readonly<Record<string, unknown>> };
}

/**
 * Creates a version and makes it current in one transaction; without files, the existing version is undeleted. Throws
 * `conflict` if another version was created, or the skill deleted or restored, since `before` was read.
 */
export async function saveSkill(services: Services, save: Save): Promise<void> {
  const { database } = services;
  const { skill, source, contentHash, files, version, before, viewerId, audit } = save;
  const { name, description, sizeBytes } = skill;
  const skillId = before?.id ?? createId("skl");
  const row = { description, version, updatedById: viewerId, deletedAt: null };
  const head = before
    ? database.skill.update({
        where: { id: skillId, version: before.version, deletedAt: before.isDeleted ? { not: null } : null },
        data: row,
      })
    : database.skill.create({ data: { ...row, id: skillId, name, createdById: viewerId } });
  const facts = { skillId, number: version, description, contentHash, source, createdById: viewerId };
  const body =
    files.length === 0
      ? []
      : [
          database.skillVersion.create({ data: { ...facts, fileCount: files.length, sizeBytes } }),
          database.skillFile.createMany({
            data: files.map((file) => {
              return { skillId, number: version, path: file.path, blobHash: file.hash, sizeBytes: file.sizeBytes };
            }),
          }),
        ];
  const entries =
    viewerId !== null && audit
      ? [
          auditQuery(services, {
            ...audit,
            actorId: viewerId,
            target: `skill:${name}`,
            ...(before ? { before: { version: before.version, deleted: before.isDeleted } } : {}),
            after: { version, deleted: false },
          }),
        ]
      : [];
  try {
    await database.$transaction([head, ...body, ...entries]);
  } catch (error) {
    if (!isTaken(error) && !isNotFound(error)) throw error;
    throw new AppError("conflict", `Another person changed ${name} at the same time. Try again.`);
  }
}
