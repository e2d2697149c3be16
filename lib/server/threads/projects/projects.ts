import "server-only";
import { z } from "zod";
import { tokensOf } from "@/lib/agent/messages/estimate-tokens";
import { AppError } from "@/lib/schema/app-error";
import type { PageQuery } from "@/lib/schema/page-query";
import type {
  CreateProjectBody,
  Project,
  ProjectInstructions,
  ProjectInstructionsList,
  ProjectList,
  ProjectQuery,
  ProjectSummary,
  UpdateProjectBody,
} from "@/lib/schema/projects/project";
import { ProjectRole } from "@/lib/schema/projects/thread-project";
import type { Reader } from "@/lib/schema/users/user";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { auditQuery } from "@/lib/server/audit/audit-log";
import { cancelOpenRuns } from "@/lib/server/engine/ending/cancel";
import { changedFields } from "@/lib/server/platform/audit-columns";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { CursorId, pageCursors, pageOfRows } from "@/lib/server/platform/db/page-of-rows";
import { accessOf, selectReachable } from "@/lib/server/platform/db/queries/agent-access";
import type { Services } from "@/lib/server/platform/services";
import { areInReach, homeInReach, requireWholePerson } from "@/lib/server/platform/within-reach";
import { userNames } from "@/lib/server/users/user-names";
import { announceProject } from "./announce-project";
import { noProject, requireProjectRole } from "./project-access";
import { countThreads, monthlyCost } from "./project-figures";
import { listMembers } from "./project-members";

const FIELDS = {
  id: true,
  name: true,
  description: true,
  agentId: true,
  archivedAt: true,
  createdAt: true,
  updatedAt: true,
} as const;

const cursors = pageCursors(z.tuple([z.string().max(200), CursorId]));

/** For estimates without a model. */
const CHARS_PER_TOKEN = 4;

/** The projects the viewer is a member of, by name; with `all`, an administrator's list. */
export async function listProjects(database: Database, viewer: Viewer, query: ProjectQuery): Promise<ProjectList> {
  const { limit, cursor, archived, all } = query;
  if (all && !hasAdminScope(viewer)) throw new AppError("forbidden", "Only administrators list all projects.");
  const [name, id] = cursor === undefined ? ["", ""] : cursors.read(cursor);
  const rows = await database.project.findMany({
    where: {
      deletedAt: null,
      archivedAt: archived ? { not: null } : null,
      ...(all ? {} : { members: { some: { userId: viewer.id } } }),
      OR: [{ name: { gt: name } }, { name, id: { gt: id } }],
    },
    orderBy: [{ name: "asc" }, { id: "asc" }],
    take: limit + 1,
    select: FIELDS,
  });
  const { page, nextCursor } = pageOfRows(rows, limit, (last) => cursors.write(last.name, last.id));
  return { projects: await describe(database, page, viewer), nextCursor };
}

/** Throws `not_found` for non-members. */
export async function getProject(database: Database, id: string, viewer: Viewer): Promise<Project> {
  const row = await database.project.findFirst({
    where: { id, deletedAt: null, members: { some: { userId: viewer.id } } },
    select: FIELDS,
  });
  if (!row) throw noProject();
  const [[summary], instructions, members, counts, cost] = await Promise.all([
    describe(database, [row], viewer),
    latestInstructions(database, id),
    listMembers(database, id),
    countThreads(database, id, viewer),
    monthlyCost(database, id),
  ]);
  if (!summary?.role) throw noProject();
  return { ...summary, role: summary.role, instructions, members, counts, cost };
}

/** The caller becomes its owner. Throws `invalid_input` for an agent they can't reach. */
export async function createProject(services: Services, body: CreateProjectBody, viewer: Viewer): Promise<Project> {
  const { database } = services;
  const { instructions, ...data } = body;
  await requireAgent(database, data.agentId, viewer);
  const id = createId("prj");
  await database.$transaction([
    database.project.create({ data: { id, ...data, createdById: viewer.id }, select: { id: true } }),
    database.projectMember.create({ data: { projectId: id, userId: viewer.id, role: "owner" } }),
    ...(instructions === "" ? [] : [versionQuery(database, { projectId: id, number: 1, text: instructions }, viewer)]),
    auditQuery(services, {
      actorId: viewer.id,
      action: "project.created",
      target: `project:${id}`,
      after: data,
    }),
  ]);
  return getProject(database, id, viewer);
}

/**
 * Owners only. Changed instructions are stored as the next version. Throws `not_found`, `forbidden`, `invalid_input`.
 */
export async function updateProject(
  services: Services,
  id: string,
  change: UpdateProjectBody,
  viewer: Viewer,
): Promise<Project> {
  const { database } = services;
  await requireProjectRole(database, id, viewer, "owner");
  const { instructions, archived, ...named } = change;
  if (named.agentId !== undefined) await requireAgent(database, named.agentId, viewer);
  const row = await database.project.findUniqueOrThrow({ where: { id }, select: FIELDS });
  const latest = await latestInstructions(database, id);
  const archivedAt = archived === undefined ? row.archivedAt : archived ? (row.archivedAt ?? new Date()) : null;
  const before = sidesOf({ ...row, archived: row.archivedAt !== null });
  const after = sidesOf({ ...row, ...named, archived: archivedAt !== null });
  const isNewText = instructions !== undefined && instructions !== (latest?.text ?? "");
  const number = (latest?.number ?? 0) + 1;
  const versions = isNewText ? { details: { instructions: number } } : {};
  await database.$transaction([
    database.project.update({ where: { id }, data: { ...named, archivedAt }, select: { id: true } }),
    ...(isNewText ? [versionQuery(database, { projectId: id, number, text: instructions }, viewer)] : []),
    auditQuery(services, {
      actorId: viewer.id,
      action: "project.changed",
      target: `project:${id}`,
      ...versions,
      ...changedFields(before, after),
    }),
  ]);
  await announceProject(services, id);
  return getProject(database, id, viewer);
}

/**
 * Hides the project and stops its runs; `restoreProject` restores it completely. Until it is purged, its threads are
 * visible only to the people who started them, who can move them out.
 */
export async function deleteProject(services: Services, id: string, viewer: Viewer): Promise<void> {
  const { database } = services;
  await requireProjectRole(database, id, viewer, "owner");
  const { name } = await database.project.findUniqueOrThrow({ where: { id }, select: { name: true } });
  await database.$transaction([
    database.project.update({ where: { id }, data: { deletedAt: new Date() }, select: { id: true } }),
    auditQuery(services, {
      actorId: viewer.id,
      action: "project.deleted",
      target: `project:${id}`,
      before: { name },
    }),
  ]);
  await cancelOpenRuns(database, { projectId: id }, viewer.id);
  await announceProject(services, id);
}

/** Undoes a deletion. Throws `not_found` for anyone who was not an owner. */
export async function restoreProject(services: Services, id: string, viewer: Viewer): Promise<Project> {
  const { database } = services;
  requireWholePerson(viewer);
  const found = await database.project.findFirst({
    where: { id, deletedAt: { not: null }, members: { some: { userId: viewer.id, role: "owner" } } },
    select: { name: true },
  });
  if (!found) throw noProject();
  await database.$transaction([
    database.project.update({ where: { id }, data: { deletedAt: null }, select: { id: true } }),
    auditQuery(services, {
      actorId: viewer.id,
      action: "project.restored",
      target: `project:${id}`,
      after: { name: found.name },
    }),
  ]);
  await announceProject(services, id);
  return getProject(database, id, viewer);
}

/** Every version of the instructions, newest first. */
export async function listInstructions(
  database: Database,
  projectId: string,
  { limit, cursor }: PageQuery,
  viewer: Viewer,
): Promise<ProjectInstructionsList> {
  await requireProjectRole(database, projectId, viewer, "read");
  const before = cursor === undefined ? {} : { number: { lt: PageNumber.parse(cursor) } };
  const rows = await database.projectInstructions.findMany({
    where: { projectId, ...before },
    orderBy: { number: "desc" },
    take: limit + 1,
  });
  const { page, nextCursor } = pageOfRows(rows, limit, ({ number }) => String(number));
  return { versions: await describeVersions(database, page), nextCursor };
}

const PageNumber = z.coerce.number().int().min(0).max(1_000_000_000).catch(0);

/** The instructions currently used in the project's prompts; null if there are none. */
async function latestInstructions(database: Database, projectId: string): Promise<ProjectInstructions | null> {
  const row = await database.projectInstructions.findFirst({ where: { projectId }, orderBy: { number: "desc" } });
  return row === null ? null : ((await describeVersions(database, [row]))[0] ?? null);
}

interface InstructionsRow {
  readonly number: number;
  readonly text: string;
  readonly createdById: string;
  readonly createdAt: Date;
}

async function describeVersions(database: Database, rows: readonly InstructionsRow[]): Promise<ProjectInstructions[]> {
  const names = await userNames(
    database,
    rows.map(({ createdById }) => createdById),
  );
  return rows.map(({ number, text, createdById, createdAt }) => ({
    number,
    text,
    tokens: tokensOf(text, CHARS_PER_TOKEN),
    changedBy: names.get(createdById) ?? "",
    changedAt: createdAt.toISOString(),
  }));
}

interface InstructionsVersion {
  readonly projectId: string;
  readonly number: number;
  readonly text: string;
}

function versionQuery(database: Database, version: InstructionsVersion, { id: createdById }: Viewer) {
  return database.projectInstructions.create({ data: { ...version, createdById } });
}

interface ProjectRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly agentId: string | null;
  readonly archivedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

async function describe(database: Database, rows: readonly ProjectRow[], viewer: Reader): Promise<ProjectSummary[]> {
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return [];
  const [members, threads] = await Promise.all([
    database.projectMember.findMany({ where: { userId: viewer.id, projectId: { in: ids } } }),
    database.thread.groupBy({
      by: ["projectId"],
      where: {
        projectId: { in: ids },
        deletedAt: null,
        archivedAt: null,
        parentThreadId: null,
        ephemeral: false,
        ...homeInReach(viewer),
      },
      _count: true,
    }),
  ]);
  const roles = new Map(members.map(({ projectId, role }) => [projectId, ProjectRole.parse(role)]));
  const counts = new Map(threads.map(({ projectId, _count }) => [projectId, _count]));
  return rows.map(({ id, name, description, agentId, archivedAt, createdAt, updatedAt }) => ({
    id,
    name,
    description,
    agentId: areInReach(viewer, agentId === null ? [] : [agentId]) ? agentId : null,
    archived: archivedAt !== null,
    role: roles.get(id) ?? null,
    threads: counts.get(id) ?? 0,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }));
}

async function requireAgent(database: Database, agentId: string | null, viewer: Viewer): Promise<void> {
  if (agentId === null) return;
  const [found] = await selectReachable(database, [agentId], accessOf(viewer));
  if (found) return;
  const message = "There is no such agent.";
  throw new AppError("invalid_input", `agentId: ${message}`, { details: [{ path: "agentId", message }] });
}

interface Sides {
  readonly name: string;
  readonly description: string;
  readonly agentId: string | null;
  readonly archived: boolean;
}

function sidesOf({ name, description, agentId, archived }: Sides): Record<keyof Sides, string | boolean | null> {
  return { name, description, agentId, archived };
}
