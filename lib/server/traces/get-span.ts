import "server-only";
import { z } from "zod";
import type { Span } from "@/lib/schema/span";
import type { ModelCallBody, SpanBody } from "@/lib/schema/span-body";
import type { Viewer } from "@/lib/schema/user";
import { type Database, database } from "@/lib/server/platform/db/database";
import { loadPromptParts } from "./load-prompt-parts";
import { loadRunMessages, type RunMessages } from "./load-run-messages";
import { countSeen, loadSeenBefore, type SeeingRun } from "./load-seen-messages";
import { recordTraceLook } from "./record-trace-look";
import { flushSpans } from "./recorder";
import { toSpan } from "./span-row";
import { pairToolCalls, splitModelCall } from "./split-model-call";
import { traceNotFound, visibleTo } from "./trace-access";

interface SpanAddress {
  /** The trace's id or its run's. */
  readonly traceId: string;
  readonly spanId: string;
  /** Also load what the model call shares with the call before it. */
  readonly withEarlier: boolean;
}

const Pointers = z.looseObject({
  step: z.number().int().positive().optional().catch(undefined),
  tool_call_id: z.string().optional().catch(undefined),
});

/**
 * One span in full, with the messages its pointers lead to (D-25: a span copies none). Throws `not_found` for
 * someone else's; an admin's look at it is audited.
 */
export async function getSpan(viewer: Viewer, { traceId, spanId, withEarlier }: SpanAddress): Promise<SpanBody> {
  const db = database();
  const trace = await db.trace.findFirst({
    where: { AND: [visibleTo(viewer), { OR: [{ id: traceId }, { runId: traceId }] }] },
    select: { id: true, ownerId: true, threadId: true },
  });
  await flushSpans();
  const row = trace && (await db.span.findFirst({ where: { id: spanId, traceId: trace.id } }));
  if (!row) throw traceNotFound();
  await recordTraceLook(viewer, trace);
  const span = toSpan(row);
  const pointers = Pointers.parse(span.attributes);
  const run = await db.run.findUnique({ where: { id: span.runId } });
  const system = span.type === "llm" ? await loadPromptParts(db, span.attributes) : null;
  if (!run || (span.type !== "llm" && span.type !== "tool")) return { span, system, modelCall: null, toolCalls: [] };
  const messages = await loadRunMessages(db, run);
  if (span.type === "tool") {
    const wanted = new Set(pointers.tool_call_id === undefined ? [] : [pointers.tool_call_id]);
    return { span, system, modelCall: null, toolCalls: pairToolCalls(messages.messages, wanted) };
  }
  const modelCall = await readModelCall(db, { span, run, messages, withEarlier });
  const asked = new Set(modelCall?.reply?.toolCalls.map((call) => call.id));
  return { span, system, modelCall, toolCalls: pairToolCalls(messages.messages, asked) };
}

interface ModelCallRequest {
  readonly span: Span;
  readonly run: SeeingRun;
  readonly messages: RunMessages;
  readonly withEarlier: boolean;
}

async function readModelCall(db: Database, request: ModelCallRequest): Promise<ModelCallBody | null> {
  const { span, run, messages, withEarlier } = request;
  const { step } = Pointers.parse(span.attributes);
  if (step === undefined) return null;
  const { seenBefore, fresh, reply } = splitModelCall(messages.messages, step);
  const call = { span, run, messages, seenBefore, fresh };
  const earlier = withEarlier ? await loadSeenBefore(db, call) : null;
  return {
    step,
    earlierCount: earlier?.length ?? (await countSeen(db, call)),
    sameAsStep: step > 1 ? step - 1 : null,
    earlier,
    fresh: [...fresh],
    reply: span.status === "failed" ? null : reply,
  };
}
