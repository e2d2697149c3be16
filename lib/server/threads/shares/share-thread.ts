import "server-only";
import { createHash, randomBytes } from "node:crypto";
import {
  type CreatedShare,
  SHARE_INCLUDES,
  type ShareInclude,
  type ShareState,
  ShareSummary,
  type ShareThreadBody,
  type StoredShare,
} from "@/lib/schema/threads/share";
import type { Reader, Viewer } from "@/lib/schema/users/user";
import { auditColumns } from "@/lib/server/platform/audit-columns";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { selectKnownPath } from "@/lib/server/platform/db/queries/paths";
import { env } from "@/lib/server/platform/env";
import { noLaterThanKey } from "@/lib/server/platform/key-limits";
import { currentSettings } from "@/lib/server/settings/settings-state";
import { findThreadRuns, loadTranscript, toTranscriptMessages } from "@/lib/server/threads/load-transcript";
import { agentNames, requireOwnThread } from "@/lib/server/threads/thread-row";
import { sharedMessages } from "./shared-messages";

/** 256 bits. */
const TOKEN_BYTES = 32;

/**
 * Creates a link to a snapshot of the thread, without open runs. Any earlier link of the thread stops working. One
 * that was made with an API key ends with it. Another person's thread is `not_found`.
 */
export async function shareThread(
  database: Database,
  threadId: string,
  viewer: Viewer,
  body: ShareThreadBody,
): Promise<CreatedShare> {
  const thread = await requireOwnThread(database, threadId, viewer);
  const include = SHARE_INCLUDES.filter((name) => body.include?.includes(name));
  const made = viewer.keyId === undefined ? {} : { madeByKey: viewer.keyId };
  const content = { ...(await snapshot(database, thread, viewer, new Set(include))), ...made };
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const createdAt = new Date();
  const chosen = body.expiresAt ? new Date(body.expiresAt) : null;
  const expiresAt = await noLaterThanKey(database, viewer.keyId, chosen);
  const columns = {
    tokenHash: hashShareToken(token),
    content: JSON.stringify(content),
    messages: content.messages.length,
    include: JSON.stringify(include),
    expiresAt,
    createdAt,
  };
  const details = { include: include.join(", "), expiresAt: expiresAt?.toISOString() ?? null };
  await database.$transaction([
    database.share.upsert({
      where: { threadId },
      create: { id: createId("share"), threadId, ...columns },
      update: columns,
      select: { id: true },
    }),
    database.auditEntry.create({
      data: auditColumns({ actorId: viewer.id, action: "share.created", target: `thread:${threadId}`, details }),
    }),
  ]);
  return { url: `${env().publicUrl}/share/${token}`, ...toShareSummary(columns) };
}

/** Whether the thread is shared, and for whom; without the link. */
export async function getShareState(database: Database, threadId: string, viewer: Reader): Promise<ShareState> {
  await requireOwnThread(database, threadId, viewer);
  const row = await database.share.findFirst({
    where: { threadId, ...notExpired() },
    select: { include: true, messages: true, expiresAt: true, createdAt: true },
  });
  return { share: row && toShareSummary(row), isPublic: currentSettings().publicShares };
}

/** Revokes the link, if any. */
export async function revokeShare(database: Database, threadId: string, viewer: Viewer): Promise<void> {
  await requireOwnThread(database, threadId, viewer);
  const known = await database.share.findUnique({ where: { threadId }, select: { id: true } });
  if (!known) return;
  await database.$transaction([
    database.share.deleteMany({ where: { threadId } }),
    database.auditEntry.create({
      data: auditColumns({ actorId: viewer.id, action: "share.revoked", target: `thread:${threadId}` }),
    }),
  ]);
}

/** Only this hash of a token is stored. */
export function hashShareToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

export function notExpired() {
  return { OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] };
}

interface ShareRow {
  readonly include: string;
  readonly messages: number;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
}

export function toShareSummary({ include, messages, expiresAt, createdAt }: ShareRow): ShareSummary {
  return ShareSummary.parse({
    include: JSON.parse(include),
    messages,
    expiresAt: expiresAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  });
}

interface SharedThread {
  readonly id: string;
  readonly agentId: string;
  readonly title: string | null;
}

async function snapshot(
  database: Database,
  { id, agentId, title }: SharedThread,
  viewer: Reader,
  include: ReadonlySet<ShareInclude>,
): Promise<StoredShare> {
  const { rows } = await loadTranscript(database, { id, ownerId: viewer.id }, { from: 0 });
  const runs = await findThreadRuns(
    database,
    id,
    rows.map(({ runId }) => runId),
  );
  // Omits other branches, open or queued runs, and messages removed from the queue before they began.
  const unshared = await runsOffPath(database, id);
  for (const run of runs) if (!run.endedAt || !run.startedAt) unshared.add(run.id);
  const shown = rows.filter(({ runId }) => !unshared.has(runId));
  const shownRuns = runs.filter((run) => !unshared.has(run.id));
  const messages = await toTranscriptMessages(database, { rows: shown, runs: shownRuns });
  const names = await agentNames(database, [agentId]);
  return {
    title,
    agentName: names.get(agentId) ?? agentId,
    ...(include.has("cost") ? { costUsd: sumOf(shownRuns.map(({ costUsd }) => costUsd)) } : {}),
    messages: sharedMessages(messages, include, createId("shared")),
    files: include.has("files") ? await filesOf(database, { id, agentId }, unshared) : [],
  };
}

/** The root runs that are not on the thread's shown branch. */
async function runsOffPath(database: Database, threadId: string): Promise<Set<string>> {
  const { isBranched, leaf } = await selectKnownPath(database, { threadId });
  if (!isBranched) return new Set();
  const runs = await database.run.findMany({
    where: { threadId, parentRunId: null },
    select: { id: true, afterRunId: true },
  });
  const before = new Map(runs.map(({ id, afterRunId }) => [id, afterRunId]));
  const off = new Set(before.keys());
  for (let id: string | null | undefined = leaf; id != null && off.delete(id); ) id = before.get(id);
  return off;
}

function sumOf(costs: readonly (number | null)[]): number | null {
  return costs.reduce<number | null>((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0);
}

const MOST_VERSIONS = 5_000;

/** The files written by the thread, each in its last written version; deleted ones are omitted. */
async function filesOf(
  database: Database,
  { id: threadId, agentId }: Pick<SharedThread, "id" | "agentId">,
  unshared: ReadonlySet<string>,
): Promise<StoredShare["files"]> {
  const versions = await database.fileVersion.findMany({
    // Templates that a run copied for a new person have a run but no tool call.
    where: { threadId, workspace: { agentId }, NOT: { runId: { not: null }, toolCallId: null } },
    orderBy: [{ createdAt: "desc" }, { version: "desc" }],
    take: MOST_VERSIONS,
    select: { path: true, blobHash: true, sizeBytes: true, runId: true },
  });
  const files = new Map<string, StoredShare["files"][number] | null>();
  for (const { path, blobHash: hash, sizeBytes, runId } of versions) {
    if (files.has(path) || unshared.has(runId ?? "")) continue;
    files.set(path, hash === null ? null : { path, sizeBytes, hash });
  }
  return [...files.values()].filter((file) => file !== null).toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
