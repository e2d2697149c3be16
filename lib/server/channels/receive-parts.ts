import "server-only";
import { joinAttached } from "@/lib/schema/messages/attached-files";
import { isWithinMessage } from "@/lib/schema/messages/text-limits";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { isNothingChanged } from "@/lib/server/platform/db/errors";
import { noteLinkUsedStatement } from "@/lib/server/platform/db/queries/dispatch/channels";
import {
  extendFiringStatement,
  type FiringRow,
  insertFiringStatement,
} from "@/lib/server/platform/db/queries/dispatch/triggers";
import { logger } from "@/lib/server/platform/logger";
import type { Services } from "@/lib/server/platform/services";
import type { InboundMessage } from "@/lib/server/triggers/channels/channel";
import { COMMENT } from "@/lib/server/triggers/channels/parts";
import { beginRun, type Linked } from "./begin-run";
import { storeFiles } from "./inbound-files";
import { note } from "./note-update";
import type { Received } from "./received";

/** How long a message waits for its next part. */
const WAIT_MS = 1_500;
/** What a text may be a comment on is sent at the same time; every text waits for it. */
const COMMENT_WAIT_MS = 400;
/** When what is passed on arrives at the same time as its comment, it looks for that again after this time. */
const COMMENT_ARRIVES_MS = 250;
/** How long it waits while the files of a part are read. */
const READING_MS = 90_000;
/** How often a part tries to join while others do so at the same time. */
const MOST_ATTEMPTS = 20;
/** The last piece of a long text is short: whatever follows at once is that piece. */
const LONG = "parts:long";

interface FirstPart extends Linked {
  readonly threadId: string;
  readonly part: string;
}

/**
 * Stores the first part of a message, which waits a moment for the others; its run begins by itself. False if it has
 * been stored before.
 */
export async function beginParts(services: Services, received: Received, first: FirstPart): Promise<boolean> {
  const { link, message, threadId, part } = first;
  const { update, now } = received;
  const prompt = await storeFiles(services, threadId, link.userId, message);
  const key = await freeKey(services.database, link.id, part, update.id);
  const waitMs = part === COMMENT ? COMMENT_WAIT_MS : WAIT_MS;
  const dueAt = soon(waitMs);
  const waiting = { id: createId("fir"), triggerId: link.id, key, externalId: `parts:${part}`, dueAt, createdAt: now };
  const whole = { ...waiting, state: "claimed", prompt, threadId, answerKey: message.answerKey ?? null };
  const isFirst = await note(
    services.database,
    received,
    { triggerId: link.id, state: "skipped", reason: "Part of a message." },
    [insertFiringStatement(whole), noteLinkUsedStatement(link.id, now)],
  );
  if (isFirst) beginSoon(services, received, { link, message, key, waitMs });
  // Another process may have stored a part at the same time.
  else if (
    !(await isStored(services.database, received, link.id)) &&
    !(await joinParts(services, received, { link, message }))
  )
    // The other message has begun, or takes no more.
    return beginParts(services, received, { ...first, part: `${part} ${update.id}` });
  return isFirst;
}

/**
 * As `joinParts`, for what is passed on: its comment is delivered first, but another request may still be storing it.
 */
export async function joinComment(services: Services, received: Received, linked: Linked): Promise<boolean> {
  if (linked.message.part === COMMENT || !linked.message.joins?.includes(COMMENT)) return false;
  await new Promise((resolve) => setTimeout(resolve, COMMENT_ARRIVES_MS));
  return joinParts(services, received, linked);
}

/**
 * Adds the message to the one that it is a part of; false if there is none, it has begun already, or both together are
 * longer than a message may be.
 */
export async function joinParts(services: Services, received: Received, { link, message }: Linked): Promise<boolean> {
  const { database } = services;
  const first = await findWaiting(database, { link, message });
  if (first?.threadId == null || (await isStored(database, received, link.id))) return false;
  if (!(await holdOpen(database, first.id))) return false;
  const text = await storeFiles(services, first.threadId, link.userId, withCited(message));
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const whole = await database.firing.findFirst({ where: { id: first.id, state: "claimed" } });
    if (!whole) return false;
    if (!isWithinMessage(joinAttached(whole.prompt ?? "", text))) {
      await database.firing.updateMany({
        where: { id: whole.id, state: "claimed" },
        data: { dueAt: soon(WAIT_MS) },
      });
      beginSoon(services, received, { link, message, key: whole.key, waitMs: WAIT_MS });
      return false;
    }
    if (await addTo(database, received, whole, text)) {
      beginSoon(services, received, { link, message, key: whole.key, waitMs: WAIT_MS });
      return true;
    }
  }
  return false;
}

/** The message with all that it cites. */
export function withCited(message: InboundMessage): InboundMessage {
  const { text, files, cites } = message;
  if (!cites) return message;
  return { ...message, text: [text, cites.text].filter(Boolean).join("\n\n"), files: [...files, ...cites.files] };
}

async function addTo(database: Database, received: Received, whole: FiringRow, text: string): Promise<boolean> {
  const { id, state, prompt, triggerId } = whole;
  const joined = { prompt: joinAttached(prompt ?? "", text), dueAt: soon(WAIT_MS) };
  const addition = extendFiringStatement({ id, state, prompt }, joined);
  try {
    await note(database, received, { triggerId, state: "skipped", reason: "Part of a message." }, [addition]);
    return true;
  } catch (error) {
    if (isNothingChanged(error)) return false;
    throw error;
  }
}

function findWaiting(database: Database, { link, message }: Linked): Promise<FiringRow | null> {
  const waiting = { triggerId: link.id, state: "claimed", dueAt: { gt: new Date() } };
  const { part, joins = part === undefined ? [] : [part] } = message;
  const own = joins.map((name) => `parts:${name}`);
  return database.firing.findFirst({
    where: { ...waiting, externalId: { in: [...own, LONG] } },
    orderBy: [{ dueAt: "desc" }, { id: "desc" }],
  });
}

/** One key for all parts of an album, so that two processes can't both store a first one. */
async function freeKey(database: Database, triggerId: string, part: string, updateId: string): Promise<string> {
  const key = `parts:${part}`;
  const isUsed = await database.firing.count({ where: { triggerId, key, state: { not: "claimed" } } });
  return isUsed > 0 || !part.includes(":") ? `${key}:${updateId}` : key;
}

async function isStored(database: Database, { update }: Received, triggerId: string): Promise<boolean> {
  return (await database.firing.count({ where: { triggerId, key: `update:${update.id}` } })) > 0;
}

async function holdOpen(database: Database, id: string): Promise<boolean> {
  const where = { id, state: "claimed" };
  return (await database.firing.updateMany({ where, data: { dueAt: soon(READING_MS) } })).count > 0;
}

function soon(afterMs: number): Date {
  return new Date(Date.now() + afterMs);
}

/** Each part begins the run a moment later, unless another part has come by then. After a crash, the sweep begins it. */
function beginSoon(
  services: Services,
  { open }: Received,
  { waitMs, ...beginning }: Linked & { readonly key: string; readonly waitMs: number },
): void {
  const timer = setTimeout(() => {
    beginRun(services, { open }, beginning).catch((error: unknown) => {
      logger().error({ err: error }, "could not begin the run of a message in parts");
    });
  }, waitMs + 20);
  timer.unref();
}
