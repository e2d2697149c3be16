import type { Database } from "@/lib/server/platform/db/database";
import { insertRows } from "@/lib/server/platform/db/kysely/row-statements";
import { readRows } from "@/lib/server/platform/db/rows";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { insertRow } from "@/lib/server/platform/db/statements";
import { type KnownPath, onPath } from "./paths";

/** A message of the model's history. */
export interface MessageRow {
  readonly id: string;
  readonly role: string;
  readonly content: string;
  readonly toolCalls: string | null;
  readonly reasoning: string | null;
  readonly toolCallId: string | null;
  readonly name: string | null;
  readonly isError: boolean;
  /** JSON array of ImageRef; null without images. */
  readonly images: string | null;
  /** Null in rows from before traces identified messages by hash. */
  readonly bodyHash: string | null;
}

export interface StoredMessageRow extends MessageRow {
  readonly position: number;
}

type Path = Pick<KnownPath, "threadId" | "isBranched" | "leaf">;

/** The path's messages after position `after`, in order. */
export async function selectMessages(database: Database, path: Path, after: number): Promise<StoredMessageRow[]> {
  const those = onPath(path, `"runId"`, "$3");
  const rows = await database.raw(
    `select "id", "position", "role", "content", "toolCalls", "reasoning", "toolCallId", "name", "isError", "images",
       "bodyHash"
     from "message" where "threadId" = $1 and "position" > $2 ${those.sql} order by "position"`,
    [path.threadId, after, ...those.parameters],
  );
  return readRows<StoredMessageRow>(rows, { flags: ["isError"] });
}

/** Null for a path without messages. */
export async function selectLastMessage(
  database: Database,
  path: Path,
): Promise<Pick<MessageRow, "id" | "role"> | null> {
  const those = onPath(path, `"runId"`, "$2");
  const [last] = await database.raw<Pick<MessageRow, "id" | "role">>(
    `select "id", "role" from "message" where "threadId" = $1 ${those.sql} order by "position" desc limit 1`,
    [path.threadId, ...those.parameters],
  );
  return last ?? null;
}

/** How many messages of the path its summary replaces. */
export async function countSummarized(database: Database, path: KnownPath): Promise<number> {
  const those = onPath(path, `"runId"`, "$3");
  const [row] = await database.raw<{ count: number }>(
    `select count(*) as "count" from "message" where "threadId" = $1 and "position" <= $2 ${those.sql}`,
    [path.threadId, path.cut ?? 0, ...those.parameters],
  );
  return Number(row?.count ?? 0);
}

/** 0 for a thread without messages. */
export async function selectLastMessagePosition(database: Database, threadId: string): Promise<number> {
  const [last] = await database.raw<{ position: number | null }>(
    `select max("position") as "position" from "message" where "threadId" = $1`,
    [threadId],
  );
  return last?.position ?? 0;
}

interface NewMessage extends StoredMessageRow {
  readonly step: number | null;
  /** `provider:model`; null for what no model wrote. */
  readonly model: string | null;
  readonly threadId: string;
  readonly runId: string;
  readonly createdAt: Date;
}

const COLUMNS = {
  id: "text",
  threadId: "text",
  runId: "text",
  position: "integer",
  role: "text",
  content: "text",
  toolCalls: "text",
  reasoning: "text",
  toolCallId: "text",
  name: "text",
  isError: "boolean",
  images: "text",
  bodyHash: "text",
  step: "integer",
  model: "text",
  createdAt: "timestamp",
} as const;

export function insertMessagesStatement({ dialect }: Database, messages: readonly NewMessage[]): SqlStatement {
  return insertRows(dialect, "message", COLUMNS, messages);
}

/** A message as people see it; `parts` is JSON. */
interface NewTranscriptMessage {
  readonly id: string;
  readonly threadId: string;
  readonly runId: string;
  readonly position: number;
  readonly role: "user" | "assistant";
  readonly parts: string;
  /** The message's plain text, for search. */
  readonly text: string;
  readonly createdAt: Date;
}

export function insertTranscriptMessageStatement(message: NewTranscriptMessage): SqlStatement {
  return insertRow("transcript_message", { ...message });
}

/** 0 for a thread without messages. */
export async function selectLastTranscriptPosition(database: Database, threadId: string): Promise<number> {
  const [last] = await database.raw<{ position: number | null }>(
    `select max("position") as "position" from "transcript_message" where "threadId" = $1`,
    [threadId],
  );
  return last?.position ?? 0;
}

interface TranscriptSize {
  readonly position: number;
  readonly characters: number;
}

/** The sizes of the newest `limit` messages before a transcript position, newest first. */
export function selectTranscriptSizes(
  database: Database,
  path: Path,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<TranscriptSize[]> {
  const those = onPath(path, `"runId"`, "$4");
  return database.raw<TranscriptSize>(
    `select "position", length("parts") as "characters" from "transcript_message"
     where "threadId" = $1 and "position" < $2 ${those.sql} order by "position" desc limit $3`,
    [path.threadId, before, limit, ...those.parameters],
  );
}

export interface TranscriptRow {
  readonly id: string;
  readonly runId: string;
  readonly position: number;
  readonly role: string;
  readonly parts: string;
  readonly text: string;
}

interface TranscriptRange {
  readonly ownerId: string;
  readonly from: number;
  readonly before: number;
}

/** What people see of the owner's path between two positions, in order. */
export function selectTranscript(database: Database, path: Path, range: TranscriptRange): Promise<TranscriptRow[]> {
  const those = onPath(path, `m."runId"`, "$5");
  return database.raw<TranscriptRow>(
    `select m."id", m."runId", m."position", m."role", m."parts", m."text" from "transcript_message" m
      join "thread" t on t."id" = m."threadId" and t."ownerId" = $2 and t."deletedAt" is null
      where m."threadId" = $1 and m."position" >= $3 and m."position" < $4 ${those.sql} order by m."position"`,
    [path.threadId, range.ownerId, range.from, range.before, ...those.parameters],
  );
}

/** The run of each transcript message, in order. */
export function selectTranscriptRuns(
  database: Database,
  threadId: string,
): Promise<Pick<TranscriptRow, "id" | "runId" | "role">[]> {
  return database.raw(
    `select "id", "runId", "role" from "transcript_message" where "threadId" = $1 order by "position"`,
    [threadId],
  );
}
