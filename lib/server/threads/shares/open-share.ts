import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { type SharedPage, StoredShare } from "@/lib/schema/threads/share";
import type { Viewer } from "@/lib/schema/users/user";
import { readBlob } from "@/lib/server/files/blobs";
import { ANONYMOUS_PROBLEMS, checkRate, clientKey, countRate } from "@/lib/server/http/rate-limit";
import type { Services } from "@/lib/server/platform/services";
import { currentSettings } from "@/lib/server/settings/settings-state";
import { hashShareToken, notExpired, toShareSummary } from "./share-thread";

/** The visitor who opens a link. */
export interface ShareVisitor {
  /** Null if not signed in. */
  readonly viewer: Viewer | null;
  readonly headers: Headers;
}

const MESSAGES_PER_PAGE = 60;

/** Whether the links of shared threads work without signing in. */
export function areSharesPublic(): boolean {
  return currentSettings().publicShares;
}

/**
 * The content behind a link, from the message at `from` on. Throws `unauthorized` for an anonymous visitor if the link
 * requires sign-in, `forbidden` for a key limited to some agents, and `not_found` for a link that was revoked, has
 * expired, or whose thread or owner is gone or may no longer share.
 */
export async function openShare(
  services: Services,
  token: string,
  visitor: ShareVisitor,
  from: number,
): Promise<SharedPage> {
  const { content, ...row } = await findShare(services, token, visitor);
  const { messages, files, madeByKey: _key, ...head } = StoredShare.parse(JSON.parse(content));
  const { messages: _count, ...facts } = toShareSummary(row);
  const end = from + MESSAGES_PER_PAGE;
  return {
    ...head,
    ...facts,
    files: files.map(({ path, sizeBytes }) => ({ path, sizeBytes })),
    messages: messages.slice(from, end),
    nextFrom: end < messages.length ? end : null,
  };
}

/** The content of a file of the share. Throws as `openShare` does, and `not_found` for any other file. */
export async function openSharedFile(
  services: Services,
  token: string,
  visitor: ShareVisitor,
  path: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const { content } = await findShare(services, token, visitor);
  const file = StoredShare.parse(JSON.parse(content)).files.find((shared) => shared.path === path);
  if (!file) throw new AppError("not_found", "This share has no such file.");
  const bytes = await readBlob(services.database, file.hash);
  if (!bytes) throw new AppError("not_found", "The content of this file is no longer kept.");
  return bytes;
}

async function findShare(services: Services, token: string, { viewer, headers }: ShareVisitor) {
  requireReader(viewer);
  const client = clientKey(headers);
  await checkRate(services, ANONYMOUS_PROBLEMS, client);
  const mayShare = { OR: [{ role: { not: "viewer" } }, { groupRole: { in: ["member", "admin"] } }] };
  const thread = { deletedAt: null, owner: { deactivatedAt: null, erasedAt: null, ...mayShare } };
  const row = await services.database.share.findFirst({
    where: { tokenHash: hashShareToken(token), thread, ...notExpired() },
    select: { content: true, include: true, messages: true, expiresAt: true, createdAt: true },
  });
  if (row) return row;
  await countRate(services, ANONYMOUS_PROBLEMS, client);
  throw new AppError("not_found", "There is nothing behind this link. It was revoked, or it has expired.");
}

function requireReader(viewer: Viewer | null): void {
  if (areSharesPublic()) return;
  if (viewer === null) throw new AppError("unauthorized", "Sign in to open this link.");
  if (viewer.scopes.includes("read") && viewer.reach === undefined) return;
  throw new AppError("forbidden", "This key reaches only some agents. Open the link in the browser, signed in.");
}
