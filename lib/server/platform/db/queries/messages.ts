import { sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { build } from "@/lib/server/platform/db/kysely/build";
import { hotStatement, type PlaceFor } from "@/lib/server/platform/db/kysely/hot-statement";
import { insertRow, insertRows } from "@/lib/server/platform/db/kysely/row-statements";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { type KnownPath, pathStatement } from "./paths";

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

type OfThread = Pick<KnownPath, "threadId">;

const messagesAfter = pathStatement((value: PlaceFor<OfThread & { after: number }>, onPath) =>
  build
    .selectFrom("message")
    .select([
      ...(["id", "position", "role", "content", "toolCalls", "reasoning", "toolCallId", "name"] as const),
      ...(["isError", "images", "bodyHash"] as const),
    ])
    .where("threadId", "=", value("threadId"))
    .where("position", ">", value("after"))
    .where(onPath("runId"))
    .orderBy("position"),
);

/** The path's messages after position `after`, in order. */
export function selectMessages(database: Database, path: Path, after: number): Promise<StoredMessageRow[]> {
  return database.execute(messagesAfter(path, { threadId: path.threadId, after }));
}

const lastMessage = pathStatement((value: PlaceFor<OfThread>, onPath) =>
  build
    .selectFrom("message")
    .select(["id", "role"])
    .where("threadId", "=", value("threadId"))
    .where(onPath("runId"))
    .orderBy("position", "desc")
    .limit(sql.lit(1)),
);

/** Null for a path without messages. */
export async function selectLastMessage(
  database: Database,
  path: Path,
): Promise<Pick<MessageRow, "id" | "role"> | null> {
  const [last] = await database.execute(lastMessage(path, { threadId: path.threadId }));
  return last ?? null;
}

const summarized = pathStatement((value: PlaceFor<OfThread & { cut: number }>, onPath) =>
  build
    .selectFrom("message")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("threadId", "=", value("threadId"))
    .where("position", "<=", value("cut"))
    .where(onPath("runId")),
);

/** How many messages of the path its summary replaces. */
export async function countSummarized(database: Database, path: KnownPath): Promise<number> {
  const [row] = await database.execute(summarized(path, { threadId: path.threadId, cut: path.cut ?? 0 }));
  return row?.count ?? 0;
}

const lastPosition = hotStatement((value: PlaceFor<OfThread>) =>
  build
    .selectFrom("message")
    .select((eb) => eb.fn.max<number | null>("position").as("position"))
    .where("threadId", "=", value("threadId")),
);

/** 0 for a thread without messages. */
export async function selectLastMessagePosition(database: Database, threadId: string): Promise<number> {
  const [last] = await database.execute(lastPosition({ threadId }));
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

const lastTranscriptPosition = hotStatement((value: PlaceFor<OfThread>) =>
  build
    .selectFrom("transcript_message")
    .select((eb) => eb.fn.max<number | null>("position").as("position"))
    .where("threadId", "=", value("threadId")),
);

/** 0 for a thread without messages. */
export async function selectLastTranscriptPosition(database: Database, threadId: string): Promise<number> {
  const [last] = await database.execute(lastTranscriptPosition({ threadId }));
  return last?.position ?? 0;
}

interface TranscriptSize {
  readonly position: number;
  readonly characters: number;
}

const transcriptSizes = pathStatement((value: PlaceFor<OfThread & { before: number; limit: number }>, onPath) =>
  build
    .selectFrom("transcript_message")
    .select((eb) => ["position", eb.fn<number>("length", ["parts"]).as("characters")])
    .where("threadId", "=", value("threadId"))
    .where("position", "<", value("before"))
    .where(onPath("runId"))
    .orderBy("position", "desc")
    .limit(value("limit")),
);

/** The sizes of the newest `limit` messages before a transcript position, newest first. */
export function selectTranscriptSizes(
  database: Database,
  path: Path,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<TranscriptSize[]> {
  return database.execute(transcriptSizes(path, { threadId: path.threadId, before, limit }));
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

const transcript = pathStatement((value: PlaceFor<OfThread & TranscriptRange>, onPath) =>
  build
    .selectFrom("transcript_message as m")
    .innerJoin("thread as t", "t.id", "m.threadId")
    .select(["m.id", "m.runId", "m.position", "m.role", "m.parts", "m.text"])
    .where("t.ownerId", "=", value("ownerId"))
    .where("t.deletedAt", "is", null)
    .where("m.threadId", "=", value("threadId"))
    .where("m.position", ">=", value("from"))
    .where("m.position", "<", value("before"))
    .where(onPath("m.runId"))
    .orderBy("m.position"),
);

/** What people see of the owner's path between two positions, in order. */
export function selectTranscript(database: Database, path: Path, range: TranscriptRange): Promise<TranscriptRow[]> {
  return database.execute(transcript(path, { ...range, threadId: path.threadId }));
}

/** The run of each transcript message, in order. */
export function selectTranscriptRuns(
  database: Database,
  threadId: string,
): Promise<Pick<TranscriptRow, "id" | "runId" | "role">[]> {
  return database.execute(
    build
      .selectFrom("transcript_message")
      .select(["id", "runId", "role"])
      .where("threadId", "=", threadId)
      .orderBy("position"),
  );
}
