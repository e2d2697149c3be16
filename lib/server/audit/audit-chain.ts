import "server-only";
import { z } from "zod";
import type { AuditCheck } from "@/lib/schema/audit";
import type { Database } from "@/lib/server/platform/db/database";
import type { Pace } from "@/lib/server/platform/db/in-chunks";
import {
  type ChainedContent,
  type ChainedEntry,
  eraseEntryStatement,
  linkStatement,
  selectChain,
  selectChainEnd,
  selectEntriesAbout,
  selectNumberBefore,
  selectUnlinked,
} from "@/lib/server/platform/db/queries/audit";
import { deleteAuditBefore } from "@/lib/server/platform/db/queries/retention/purge";
import { selectSetting, settingStatement } from "@/lib/server/platform/db/queries/settings";
import { SecretUnreadable, secretBox } from "@/lib/server/platform/secrets/secrets";
import { keptEndFile, readKeptEnd, writeKeptEnd } from "./kept-end";

export const AUDIT_CHAIN_EVERY_MS = 2_000;

const PURPOSE = "audit-chain";
const LINKED_AT_ONCE = 500;
const READ_AT_ONCE = 1_000;

/** The end of the chain when it was last linked; without it, missing newest entries would go unnoticed. */
const HEAD = "audit-chain-head";
/** Where the chain begins since earlier entries were deleted. */
const START = "audit-chain-start";

const Mark = z.object({ number: z.number(), hash: z.string(), keyId: z.string(), signature: z.string() });
type Mark = z.infer<typeof Mark>;
type Place = Pick<Mark, "number" | "hash">;

const BEGINNING: Place = { number: 0, hash: "" };

/**
 * Appends the entries that are not in the chain yet, oldest first: each gets the next number and an HMAC over that
 * number, its content and the previous hash. Entries are inserted without these, so that no transaction waits for
 * another's.
 */
export function linkEntries(database: Database): Promise<void> {
  return database.exclusive(PURPOSE, async () => {
    for (;;) {
      const entries = await selectUnlinked(database, LINKED_AT_ONCE);
      if (entries.length === 0) return;
      let last: Place = (await selectChainEnd(database)) ?? (await readMark(database, START)) ?? BEGINNING;
      const links = entries.map((entry) => {
        const place = { number: last.number + 1, previousHash: last.hash };
        const { hex: hash, keyId: hashKeyId } = secretBox().sign(signedText(entry, place), PURPOSE);
        last = { number: place.number, hash };
        return { id: entry.id, ...place, hash, hashKeyId };
      });
      await database.runAll([linkStatement(database, links), markStatement(HEAD, last)]);
      await keepEnd(database, last);
      if (entries.length < LINKED_AT_ONCE) return;
    }
  });
}

function signedText(entry: ChainedContent, place: { readonly number: number; readonly previousHash: string }): string {
  const { id, createdAt, actorId, action, target, details, before, after, ip, apiKeyId } = entry;
  const content = [id, createdAt.toISOString(), actorId, action, target, details, before, after, ip, apiKeyId];
  return JSON.stringify([place.number, place.previousHash, ...content]);
}

function markStatement(key: string, { number, hash }: Place) {
  const { keyId, hex: signature } = secretBox().sign(markText(key, { number, hash }), PURPOSE);
  const mark: Mark = { number, hash, keyId, signature };
  return settingStatement(key, JSON.stringify(mark));
}

/** Also beside the database, unless the chain has lost what stands there: that must remain to be seen. */
async function keepEnd(database: Database, end: Place): Promise<void> {
  if ((await problemOfKeptEnd(database, await readMark(database, START))) === null) writeKeptEnd(end);
}

/**
 * Whether the chain still has the entry that was its end when this machine last wrote it down. Whoever deletes the whole
 * chain with its records, or has it made anew, can't change that.
 */
async function problemOfKeptEnd(database: Database, start: Mark | null): Promise<string | null> {
  const kept = readKeptEnd();
  if (kept === null) return null;
  if (start !== null && isMarked(START, start) && kept.number <= start.number) return null;
  const entry = await database.auditEntry.findFirst({ where: { number: kept.number }, select: { hash: true } });
  if (entry?.hash === kept.hash) return null;
  return `Entry ${kept.number}, with which the chain once ended according to ${keptEndFile()}, is gone or another one: the chain was deleted or made anew, or an older copy of the database was put back.`;
}

/** Null for an empty chain. */
export function chainEnd(database: Database): Promise<Place | null> {
  return selectChainEnd(database);
}

function markText(key: string, { number, hash }: Place): string {
  return JSON.stringify([key, number, hash]);
}

async function readMark(database: Database, key: string): Promise<Mark | null> {
  const value = await selectSetting(database, key);
  return value === undefined ? null : parseMark(value);
}

/** One that was changed beyond reading has no valid signature. */
function parseMark(value: string): Mark {
  try {
    return Mark.parse(JSON.parse(value));
  } catch {
    return { ...BEGINNING, keyId: "", signature: "" };
  }
}

/** Deletes older entries, and signs where the chain now begins. Returns how many were deleted. */
export async function deleteOldEntries(database: Database, createdBefore: Date, pace: Pace): Promise<number> {
  const number = await selectNumberBefore(database, createdBefore);
  await database.exclusive(PURPOSE, async () => {
    const start = (await readMark(database, START)) ?? BEGINNING;
    const [last] = number > start.number ? await selectChain(database, number - 1, 1) : [];
    if (last?.number === number) await database.runAll([markStatement(START, last)]);
  });
  return deleteAuditBefore(database, createdBefore, number, pace);
}

/**
 * Erases what the log says about a person: values, addresses and details. Who did what to what, and when, remains,
 * signed together with the hash of the whole entry, so that the chain stays valid.
 */
export async function eraseEntriesAbout(
  database: Database,
  person: { readonly userId: string; readonly email: string },
): Promise<void> {
  await linkEntries(database);
  await database.exclusive(PURPOSE, async () => {
    for (;;) {
      const entries = await selectEntriesAbout(database, person, LINKED_AT_ONCE);
      if (entries.length === 0) return;
      await database.runAll(
        entries.map((entry) => eraseEntryStatement({ id: entry.id, tombstone: tombstoneOf(entry) })),
      );
    }
  });
}

/** Empty for an entry that predates the chain. */
function tombstoneOf(entry: ChainedEntry): string {
  if (entry.number === 0) return "";
  const { keyId, hex } = secretBox().sign(remainingText(entry), PURPOSE);
  return `${keyId}:${hex}`;
}

/** What remains of an erased entry, with the hash of the whole one. */
function remainingText({ id, createdAt, actorId, action, target, apiKeyId, ...link }: ChainedEntry): string {
  const { number, previousHash, hash } = link;
  const content = [id, createdAt.toISOString(), actorId, action, target, apiKeyId];
  return JSON.stringify(["erased", number, previousHash, hash, ...content]);
}

/** Reads the whole chain and compares every hash. */
export async function checkChain(database: Database): Promise<AuditCheck> {
  const startedAt = performance.now();
  const start = await readMark(database, START);
  const head = await readMark(database, HEAD);
  const reader = { last: (start ?? BEGINNING) as Place, checked: 0, since: null as Date | null };
  const broken =
    (await findBroken(database, reader, start)) ??
    findCutEnd(reader, head, await readMark(database, HEAD)) ??
    (await findLost(database, reader, start));
  const [notChained, waiting] = await Promise.all([
    database.auditEntry.count({ where: { number: 0 } }),
    database.auditEntry.count({ where: { number: null } }),
  ]);
  return {
    ok: broken === null,
    checked: reader.checked,
    since: reader.since?.toISOString() ?? null,
    notChained,
    waiting,
    tookMs: Math.round(performance.now() - startedAt),
    ...(broken ? { firstBroken: broken.id, problem: broken.problem } : {}),
  };
}

interface Broken {
  /** The entry's id, or that of the last one if those after it are missing; empty if none is left. */
  readonly id: string;
  readonly problem: string;
}

interface Reader {
  last: Place & { readonly id?: string };
  checked: number;
  since: Date | null;
}

async function findBroken(database: Database, reader: Reader, start: Mark | null): Promise<Broken | null> {
  if (start && !isMarked(START, start)) {
    return { id: "", problem: "The record of where the chain begins since old entries were deleted was changed." };
  }
  for (;;) {
    const entries = await selectChain(database, reader.last.number, READ_AT_ONCE);
    for (const entry of entries) {
      const problem = problemOf(entry, reader.last);
      if (problem !== null) return { id: entry.id, problem };
      reader.last = entry;
      reader.since ??= entry.createdAt;
      reader.checked += 1;
    }
    if (entries.length < READ_AT_ONCE) return null;
  }
}

function problemOf(entry: ChainedEntry, last: Place): string | null {
  const { number, previousHash } = entry;
  if (number !== last.number + 1) {
    const missing = number - last.number - 1;
    return `${missing === 1 ? "An entry" : `${missing} entries`} before entry ${number} ${missing === 1 ? "is" : "are"} missing.`;
  }
  if (previousHash !== last.hash) return `Entry ${number} does not follow the one before it.`;
  try {
    return isWhole(entry) ? null : `Entry ${number} does not match its hash.`;
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    return `Entry ${number} cannot be checked: ${error.message} List that secret after the newest one.`;
  }
}

function isWhole(entry: ChainedEntry): boolean {
  const { hash, hashKeyId, tombstone, details, before, after, ip } = entry;
  if (tombstone === null)
    return secretBox().isSigned(signedText(entry, entry), PURPOSE, { keyId: hashKeyId, hex: hash });
  const [keyId = "", hex = ""] = tombstone.split(":");
  const isEmpty = details === "{}" && before === null && after === null && ip === null;
  return isEmpty && secretBox().isSigned(remainingText(entry), PURPOSE, { keyId, hex });
}

/**
 * Compares the end of the chain with its record, as it was before and after the chain was read, because entries may be
 * linked meanwhile; null if it fits. Every chain has that record: linking writes both at once.
 */
function findCutEnd({ last }: Reader, head: Mark | null, after: Mark | null): Broken | null {
  const id = last.id ?? "";
  if (after === null) {
    return last.number === 0 ? null : { id, problem: "The record of where the chain ends is missing." };
  }
  if (!isMarked(HEAD, after)) return { id, problem: "The record of where the chain ends was changed." };
  if (after.number < last.number || (after.number === last.number && after.hash !== last.hash)) {
    return { id, problem: "The record of where the chain ends does not belong to its last entry." };
  }
  if (head === null) return null;
  if (!isMarked(HEAD, head)) return { id, problem: "The record of where the chain ends was changed." };
  if (last.number >= head.number) return null;
  const missing = head.number - last.number;
  const what = missing === 1 ? "An entry" : `${missing} entries`;
  return { id, problem: `${what} after entry ${last.number} ${missing === 1 ? "is" : "are"} missing.` };
}

async function findLost(database: Database, { last }: Reader, start: Mark | null): Promise<Broken | null> {
  const problem = await problemOfKeptEnd(database, start);
  return problem === null ? null : { id: last.id ?? "", problem };
}

function isMarked(key: string, { keyId, signature, ...place }: Mark): boolean {
  try {
    return secretBox().isSigned(markText(key, place), PURPOSE, { keyId, hex: signature });
  } catch (error) {
    if (error instanceof SecretUnreadable) return false;
    throw error;
  }
}
