import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import type { Message } from "@/lib/schema/messages/message";
import type { Span } from "@/lib/schema/traces/span";
import type { CallReply, SpanBody } from "@/lib/schema/traces/span-body";
import type { Viewer } from "@/lib/schema/users/user";
import { readBlob } from "@/lib/server/files/blobs";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { auditTraceAccess } from "./audit-trace-access";
import { loadRunMessages } from "./load-run-messages";
import { loadReply, loadSentRequest } from "./load-sent-request";
import { maskSpanBody } from "./mask-trace";
import { rootSpanId } from "./open-trace";
import { pairToolCalls, replyOfStep } from "./pair-tool-calls";
import { findShownPrompts, withoutPrompt, withoutTexts } from "./prompt-access";
import { flushSpans } from "./recorder";
import { toSpan } from "./to-span";
import { traceNotFound, visibleTo } from "./trace-access";
import { loadWaits, withWaits } from "./waits";

interface SpanAddress {
  /** The id of the trace or of its run. */
  readonly traceId: string;
  readonly spanId: string;
  /** Also load the messages that a model call shares with the call before it. */
  readonly withEarlier: boolean;
}

const Pointers = z.looseObject({
  step: z.number().int().positive().optional().catch(undefined),
  tool_call_id: z.string().optional().catch(undefined),
});

/**
 * One span in full, with the request that its hashes identify (D-25: spans contain no copies). Throws `not_found` for
 * someone else's; an admin's access to it is audited.
 */
export async function getSpan(services: Services, viewer: Viewer, address: SpanAddress): Promise<SpanBody> {
  return maskSpanBody(await readSpan(services, viewer, address));
}

async function readSpan(services: Services, viewer: Viewer, address: SpanAddress): Promise<SpanBody> {
  const { database } = services;
  const { span, isPromptHidden } = await findSpan(services, viewer, address);
  const pointers = Pointers.parse(span.attributes);
  const run = await database.run.findUnique({ where: { id: span.runId } });
  const isModelCall = span.type === "llm" || "message_hashes" in span.attributes;
  const messages = run ? (await loadRunMessages(database, run)).messages : [];
  if (!isModelCall) {
    const wanted = new Set(pointers.tool_call_id === undefined ? [] : [pointers.tool_call_id]);
    return { span, system: null, isPromptHidden, modelCall: null, toolCalls: pairToolCalls(messages, wanted) };
  }
  const place = run && { threadId: run.threadId, journal: messages };
  const { request, system: parts } = await loadSentRequest(database, await sendingSpan(database, span), place, address);
  const system = isPromptHidden ? withoutTexts(parts) : parts;
  if (!place) return { span, system, isPromptHidden, modelCall: null, toolCalls: [] };
  const reply = await (request ? loadReply(database, span, place) : earlierReply(span, messages));
  const modelCall = { step: pointers.step ?? null, request, reply };
  const asked = new Set(reply?.toolCalls.map((call) => call.id));
  return { span, system, isPromptHidden, modelCall, toolCalls: pairToolCalls(messages, asked) };
}

async function findSpan(services: Services, viewer: Viewer, { traceId, spanId }: SpanAddress) {
  const { database } = services;
  const trace = await database.trace.findFirst({
    where: { AND: [visibleTo(viewer), { OR: [{ id: traceId }, { runId: traceId }] }] },
    select: { id: true, runId: true, ownerId: true, threadId: true },
  });
  await flushSpans();
  const row = trace && (await database.span.findFirst({ where: { id: spanId, traceId: trace.id } }));
  if (!row) throw traceNotFound();
  await auditTraceAccess(services, viewer, trace);
  const showsPrompt = await findShownPrompts(database, viewer, trace.id);
  const isPromptHidden = !showsPrompt(row.runId);
  const span = isPromptHidden ? withoutPrompt(toSpan(row)) : toSpan(row);
  return { span: await withOwnWait(database, trace, span), isPromptHidden };
}

/** The span as the trace shows it: the waiting part of a call is read together with the part that continued. */
async function withOwnWait(db: Database, trace: { id: string; runId: string }, span: Span): Promise<Span> {
  if (typeof span.attributes.waiting_for !== "string") return span;
  const ofRun = { traceId: trace.id, runId: span.runId, type: span.type };
  const rows = await db.span.findMany({ where: ofRun, orderBy: [{ startedAt: "asc" }, { id: "asc" }] });
  const waits = (await loadWaits(db, [trace.runId])).get(trace.runId) ?? [];
  const parts = rows.map((row) => (row.id === span.id ? span : toSpan(row)));
  return withWaits(parts, waits).find(({ id }) => id === span.id) ?? span;
}

/** The span that names what was sent: for a failed attempt, the call that repeats it. */
async function sendingSpan(db: Database, span: Span): Promise<Span> {
  if (span.name !== "llm.attempt" || span.parentId === null) return span;
  const call = await db.span.findFirst({ where: { id: span.parentId, traceId: span.traceId } });
  return call ? toSpan(call) : span;
}

/** The reply of a call whose span does not name it: the reply of its step, if the call is one of the run's own. */
function earlierReply({ attributes, parentId, runId, status }: Span, messages: readonly Message[]): CallReply | null {
  const { step } = Pointers.parse(attributes);
  const isOwn = parentId === null || parentId === rootSpanId(runId);
  return step === undefined || !isOwn || status === "failed" ? null : replyOfStep(messages, step);
}

/**
 * An image from one of the threads of the trace's runs. Throws `not_found` for someone else's trace, and for an image
 * of another thread; an admin's access is audited.
 */
export async function getTraceImage(
  services: Services,
  viewer: Viewer,
  { traceId, hash }: { traceId: string; hash: string },
) {
  const { database } = services;
  const trace = await database.trace.findFirst({
    where: { AND: [visibleTo(viewer), { OR: [{ id: traceId }, { runId: traceId }] }] },
    select: { id: true, ownerId: true, threadId: true },
  });
  if (!trace) throw traceNotFound();
  await auditTraceAccess(services, viewer, trace);
  const runs = await database.run.findMany({ where: { traceId: trace.id }, select: { threadId: true } });
  const image = await database.threadImage.findFirst({
    where: { blobHash: hash, threadId: { in: [trace.threadId, ...runs.map(({ threadId }) => threadId)] } },
    select: { mediaType: true },
  });
  const bytes = image && (await readBlob(database, hash));
  if (!bytes) throw new AppError("not_found", "This picture is no longer kept.");
  return { bytes, mediaType: image.mediaType };
}
