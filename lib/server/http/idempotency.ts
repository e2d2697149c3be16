import "server-only";
import { createHash } from "node:crypto";
import { z } from "zod";
import { requestKey } from "@/lib/schema/apis/request-key";
import { AppError } from "@/lib/schema/app-error";
import { SHOWN_ONCE } from "@/lib/schema/shown-once";
import type { Viewer } from "@/lib/schema/users/user";
import type { Database } from "@/lib/server/platform/db/database";
import { MAX_UPLOAD_BYTES, readBody } from "./read-body";

const KEPT_MS = 24 * 3_600_000;
/** A longer reply is not kept: it is a document, not the answer to something that was made. */
const MAX_REPLY_CHARS = 1_000_000;
const REUSED =
  "This Idempotency-Key was already used for another request to this address. Send this one with a key of its own.";

const CUT_OFF =
  "An earlier request with this Idempotency-Key was cut off before it was answered, and what it was to do may have been done. Look whether it was; if not, send the request again with a key of its own.";
/** The status of a key whose request has no answer yet. */
const UNANSWERED = 0;

/** The request's `Idempotency-Key`, if any. Throws `invalid_input` if it is longer than 200 characters. */
function readIdempotencyKey(request: Request): string | undefined {
  const key = request.headers.get("idempotency-key") ?? undefined;
  if (key !== undefined && (key.length === 0 || key.length > 200)) {
    throw new AppError("invalid_input", "Idempotency-Key must have 1 to 200 characters.");
  }
  return key;
}

interface KeyedRequest {
  readonly viewer: Viewer | null;
  readonly request: Request;
  /** The parsed body; undefined if there is none, or if the handler reads it itself. */
  readonly body: unknown;
  /** The schema of the route's reply. */
  readonly reply: z.ZodType | undefined;
}

/**
 * Does the work of a POST with an `Idempotency-Key` once: the same caller's same request to the same address gets the
 * same answer for a day, whatever became of it since. An answer that is an error is not kept. If a process died before
 * the answer was kept, nobody knows whether the work was done, so it is not done again either: throws `conflict`.
 */
export async function answerOnce(
  database: Database,
  keyed: KeyedRequest,
  work: () => Promise<Response>,
): Promise<Response> {
  const { viewer } = keyed;
  const id = sentKey(keyed);
  if (id === undefined || !viewer) return work();
  const bodyHash = await hashOfBody(keyed);
  return database.exclusive(`idempotency ${id}`, async () => {
    const known = await database.keptReply.findUnique({ where: { id, expiresAt: { gt: new Date() } } });
    if (known && known.bodyHash !== bodyHash) throw new AppError("conflict", REUSED);
    if (known?.status === UNANSWERED) throw new AppError("conflict", CUT_OFF);
    if (known) return kept(known);
    const place = { id, userId: viewer.id, bodyHash };
    await store(database, place, { status: UNANSWERED, body: "" });
    let answer: KeptAnswer | null = null;
    try {
      const reply = await work();
      answer = await answerOf(reply, keyed.reply);
      if (answer !== null) await store(database, place, answer);
      return reply;
    } finally {
      if (answer === null) await database.keptReply.deleteMany({ where: { id } });
    }
  });
}

/**
 * The key for work that makes one run of a request itself: of this caller, key and address, and of what the request asks
 * for (`request-key.ts`). Undefined for a request without an `Idempotency-Key`.
 */
export async function runKeyOf(keyed: KeyedRequest): Promise<string | undefined> {
  const id = sentKey(keyed);
  return id === undefined ? undefined : requestKey(id, await hashOfBody(keyed));
}

/** Who sent which key to which address; undefined for a request without a key, or from nobody. */
function sentKey({ viewer, request }: KeyedRequest): string | undefined {
  const key = request.method === "POST" && viewer ? readIdempotencyKey(request) : undefined;
  if (key === undefined || !viewer) return undefined;
  const { pathname, search } = new URL(request.url);
  return hashOf(JSON.stringify([viewer.id, viewer.keyId ?? "", pathname, search, key]));
}

interface Place {
  readonly id: string;
  readonly userId: string;
  readonly bodyHash: string;
}

interface KeptAnswer {
  readonly status: number;
  /** JSON; empty for 204. */
  readonly body: string;
}

/** What is kept of a reply; null if it is an error, or no answer to something that was made. */
async function answerOf(reply: Response, schema: z.ZodType | undefined): Promise<KeptAnswer | null> {
  const isJson = reply.headers.get("content-type")?.startsWith("application/json") === true;
  if (!reply.ok || !(isJson || reply.status === 204)) return null;
  const text = await reply.clone().text();
  if (text.length > MAX_REPLY_CHARS) return null;
  return { status: reply.status, body: isJson ? JSON.stringify(withoutSecrets(JSON.parse(text), schema)) : "" };
}

async function store(database: Database, { id, ...place }: Place, answer: KeptAnswer): Promise<void> {
  const now = new Date();
  const row = { ...place, ...answer, createdAt: now, expiresAt: new Date(now.getTime() + KEPT_MS) };
  await database.keptReply.upsert({ where: { id }, create: { id, ...row }, update: row, select: { id: true } });
}

function kept({ status, body }: { readonly status: number; readonly body: string }): Response {
  const headers = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
  if (body === "") return new Response(null, { status, headers });
  return new Response(body, { status, headers: { ...headers, "content-type": "application/json" } });
}

/** What is shown once is in no table, so the second answer can only say that it was shown. */
function withoutSecrets(value: unknown, schema: z.ZodType | undefined): unknown {
  const names = schema === undefined ? [] : namesShownOnce(schema);
  if (names.length === 0 || typeof value !== "object" || value === null) return value;
  const shown = Object.entries(value).filter(([name]) => !names.includes(name));
  return { ...Object.fromEntries(shown), secretShown: true };
}

/** The fields of a reply that are in no later one. */
export function namesShownOnce(schema: z.ZodType): string[] {
  return fieldsOf(schema).flatMap(([name, field]) => (SHOWN_ONCE.has(field) ? [name] : []));
}

/** The fields of a reply, whatever it is put together from. */
export function fieldsOf(schema: z.ZodType): [string, z.ZodType][] {
  if (schema instanceof z.ZodObject) return Object.entries(schema.shape);
  if (schema instanceof z.ZodIntersection) return [schema.def.left, schema.def.right].flatMap(partFields);
  return schema instanceof z.ZodUnion ? schema.def.options.flatMap(partFields) : [];
}

function partFields(part: unknown): [string, z.ZodType][] {
  return part instanceof z.ZodType ? fieldsOf(part) : [];
}

async function hashOfBody({ request, body }: KeyedRequest): Promise<string> {
  if (body !== undefined || request.bodyUsed) return hashOf(JSON.stringify(body ?? null));
  const bytes = await readBody(request.clone(), MAX_UPLOAD_BYTES);
  const boundary = /boundary="?([^";\s]{1,200})/i.exec(request.headers.get("content-type") ?? "")?.[1];
  // A form that is sent again has the same parts between other boundaries.
  return hashOf(boundary === undefined ? bytes : Buffer.from(bytes).toString("latin1").replaceAll(boundary, ""));
}

function hashOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
