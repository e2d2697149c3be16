import "server-only";
import { z } from "zod";
import type { ModelRequest } from "@/lib/agent/model";
import { Effort } from "@/lib/schema/agents/choices";
import { Message } from "@/lib/schema/messages/message";
import { ToolSchema } from "@/lib/schema/tools/tool";
import type { Span } from "@/lib/schema/traces/span";
import type { CallReply, PromptPart, SentRequestBody } from "@/lib/schema/traces/span-body";
import { toMessage } from "@/lib/server/engine/transcript/load-history";
import { hashMessage, messageBody } from "@/lib/server/engine/transcript/message-hash";
import type { Database } from "@/lib/server/platform/db/database";
import { readKeptTexts } from "./kept-texts";
import { loadRunMessages } from "./load-run-messages";
import type { ShowsPrompt } from "./prompt-access";
import { flushSpans } from "./recorder";
import { toSpan } from "./to-span";

const hash = z.string().nullable().catch(null);
const number = z.number().nullable().catch(null);

/** The shape that `recordSent` writes. */
const Sections = z.array(z.object({ name: z.string(), tokens: z.number(), hash: z.string().optional() }));

const position = z.number().int().nonnegative();

/** A hash, or the first and last positions of several rows of the thread. */
const MessageName = z.union([z.string(), z.tuple([position, position])]);

type MessageName = z.infer<typeof MessageName>;

const Recorded = z.object({
  base_call: hash.default(null),
  kept_messages: z.number().int().nonnegative().default(0),
  message_hashes: z.array(MessageName),
  /** If both are absent, those of the base. */
  sections: Sections.optional().catch(undefined),
  tools_hash: hash.optional(),
  max_tokens: number.default(null),
  temperature: number.default(null),
  effort: Effort.nullable().default(null),
});

type Sections = z.infer<typeof Sections>;
const ReplyFields = z.object({ reply_hash: hash.default(null) });
const Call = Recorded.extend({ step: number.default(null), ...ReplyFields.shape });

/** Where to find the messages that a run's spans name. */
export interface MessagePlace {
  readonly threadId: string;
  /** The run's own messages, from its rows or, before it has ended, from its events. */
  readonly journal: readonly Message[];
}

/** The parts of a model call's span that record its request as sent, including the system prompt. */
interface SentParts {
  /** Null if the span comes from a version that did not record it. */
  readonly request: SentRequestBody | null;
  /** Null if the span does not record it. */
  readonly system: PromptPart[] | null;
}

/** Reads back what a model call sent. */
export async function loadSentRequest(
  db: Database,
  span: Span,
  place: MessagePlace | null,
  { withEarlier }: { readonly withEarlier: boolean },
): Promise<SentParts> {
  const found = Recorded.safeParse(span.attributes);
  if (!found.success) return { request: null, system: await readParts(db, oldSections(span)) };
  const { message_hashes: own, kept_messages: kept, ...recorded } = found.data;
  const calls = recorded.base_call === null ? [] : await loadBaseCalls(db, span, recorded.base_call);
  const rows = await readRowHashes(db, place, [...calls.map((call) => call.message_hashes), own].flat());
  const base = calls.length === 0 ? null : foldBase(calls, rows);
  const system = await readParts(db, recorded.sections ?? base?.sections);
  if (!place) return { request: null, system };
  const ownHashes = hashesOf(own, rows);
  const hashes = [...firstOf(base?.hashes ?? [], kept), ...ownHashes];
  const named = await readMessages(db, place, withEarlier ? hashes : ownHashes);
  const sent = hashes.map((name) => (name === null ? null : (named.get(name) ?? null)));
  // A segment's first call has no base; the model's own output is not new to it.
  const ownReply = sent.findLastIndex((message) => message?.role === "assistant");
  const earlierCount = Math.max(kept, ownReply + 1);
  const request = {
    earlierCount,
    sameAsStep: base && kept >= base.sentCount ? base.step : null,
    earlier: withEarlier ? sent.slice(0, earlierCount) : null,
    fresh: sent.slice(earlierCount),
    tools: await readTools(db, recorded.tools_hash ?? base?.toolsHash),
    maxTokens: recorded.max_tokens,
    temperature: recorded.temperature,
    effort: recorded.effort,
  };
  return { request, system };
}

interface RunStep {
  readonly runId: string;
  /** The run's root span, the parent of the calls of its own loop. */
  readonly rootId: string;
  readonly step: number;
}

/** What the latest model call of a run's step sent; null if that, or a text of it, is not kept. */
export async function loadStepRequest(db: Database, { runId, rootId, step }: RunStep): Promise<ModelRequest | null> {
  await flushSpans();
  const run = await db.run.findUnique({ where: { id: runId } });
  const rows = await db.span.findMany({
    where: { runId, name: "llm.call", parentId: rootId },
    orderBy: [{ startedAt: "desc" }, { id: "desc" }],
  });
  const span = rows.map(toSpan).find(({ attributes }) => Call.safeParse(attributes).data?.step === step);
  if (!run || !span) return null;
  const { messages: journal } = await loadRunMessages(db, run);
  const place = { threadId: run.threadId, journal };
  const { request, system } = await loadSentRequest(db, span, place, { withEarlier: true });
  const messages = request && wholeOf([...(request.earlier ?? []), ...request.fresh]);
  const parts = system && wholeOf(system.map(({ name, text }) => (text === null ? null : { name, text })));
  if (!request?.tools || request.maxTokens === null || !messages?.length || !parts) return null;
  const { tools, maxTokens, temperature } = request;
  return { system: parts, messages, tools, maxTokens, temperature };
}

/** The list, or null if an item is missing. */
function wholeOf<Item>(items: readonly (Item | null)[]): Item[] | null {
  const found = items.flatMap((item) => (item === null ? [] : [item]));
  return found.length === items.length ? found : null;
}

/** Earlier versions kept the prompt's texts, but no messages. */
function oldSections({ attributes }: Span): Sections | undefined {
  const found = Sections.safeParse(attributes.sections);
  return found.success ? found.data : undefined;
}

/** A model call's reply as the loop received it; null if none came or it is not kept. */
export async function loadReply(db: Database, span: Span, place: MessagePlace): Promise<CallReply | null> {
  const { reply_hash: name } = ReplyFields.parse(span.attributes);
  const message = name === null ? undefined : (await readMessages(db, place, [name])).get(name);
  if (message?.role !== "assistant") return null;
  return { content: message.content, reasoning: message.reasoning ?? [], toolCalls: message.toolCalls };
}

async function readParts(db: Database, sections: Sections | undefined): Promise<PromptPart[] | null> {
  if (!sections) return null;
  const texts = await readKeptTexts(
    db,
    sections.flatMap(({ hash: name }) => name ?? []),
  );
  return sections.map(({ name, tokens, hash: key }) => ({
    name,
    tokens,
    estimated: true,
    text: texts.get(key ?? "") ?? null,
  }));
}

interface NamedBy {
  readonly placeOf: (runId: string) => Promise<MessagePlace | null>;
  readonly showsPrompt: ShowsPrompt;
}

/**
 * These spans with a hash for every message that they name, and the texts of all the hashes. Subagents' messages are in
 * their own threads, which `placeOf` returns by run; system texts are included for runs that `showsPrompt`.
 */
export async function loadNamedTexts(
  db: Database,
  spans: readonly Span[],
  { placeOf, showsPrompt }: NamedBy,
): Promise<{ readonly spans: Span[]; readonly texts: Record<string, string> }> {
  const texts = new Map<string, string>();
  const named = new Map<string, (string | null)[]>();
  for (const [runId, own] of Map.groupBy(spans, (span) => span.runId)) {
    const calls = own.map(({ id, attributes }) => {
      const { message_hashes: names = [] } = Recorded.partial().catch({}).parse(attributes);
      return { id, names, replyHash: ReplyFields.parse(attributes).reply_hash };
    });
    const place = calls.some(({ names, replyHash }) => names.length > 0 || replyHash) ? await placeOf(runId) : null;
    if (!place) continue;
    const rows = await readRowHashes(
      db,
      place,
      calls.flatMap(({ names }) => names),
    );
    for (const { id, names } of calls) if (names.length > 0) named.set(id, hashesOf(names, rows));
    const wanted = calls.flatMap(({ id, replyHash }) => [...(named.get(id) ?? []), replyHash]);
    for (const [name, message] of await readMessages(db, place, wanted)) texts.set(name, messageBody(message));
  }
  const parts = spans.flatMap(({ attributes, runId }) => {
    const { sections = [], tools_hash: tools } = Recorded.partial().catch({}).parse(attributes);
    const shown = showsPrompt(runId) ? sections : [];
    return [...shown.flatMap(({ hash: name }) => name ?? []), ...(tools ? [tools] : [])];
  });
  for (const [name, text] of await readKeptTexts(db, parts)) texts.set(name, text);
  const inFull = spans.map((span) => {
    const hashes = named.get(span.id);
    return hashes ? { ...span, attributes: { ...span.attributes, message_hashes: hashes } } : span;
  });
  return { spans: inFull, texts: Object.fromEntries(texts) };
}

interface BaseCall {
  readonly step: number | null;
  readonly sentCount: number;
  /** Hashes of every message sent and of the reply; null if the span that names it is missing. */
  readonly hashes: readonly (string | null)[];
  readonly sections?: Sections | undefined;
  readonly toolsHash?: string | null | undefined;
}

/** The call that a span builds on, the call which that one builds on, and so on to one that names all that it sent. */
async function loadBaseCalls(db: Database, { traceId, runId }: Span, baseId: string): Promise<z.infer<typeof Call>[]> {
  const rows = await db.span.findMany({
    where: { traceId, runId, type: "llm" },
    select: { id: true, attributes: true },
  });
  const byId = new Map(rows.map(({ id, attributes }) => [id, attributes]));
  const chain: z.infer<typeof Call>[] = [];
  for (let id: string | null = baseId; id !== null; ) {
    const attributes = byId.get(id);
    byId.delete(id);
    const call = Call.safeParse(attributes === undefined ? null : JSON.parse(attributes));
    if (!call.success) break;
    chain.push(call.data);
    id = call.data.base_call;
  }
  return chain;
}

function foldBase(chain: readonly z.infer<typeof Call>[], rows: RowHashes): BaseCall {
  const hashes = chain.reduceRight<(string | null)[]>(
    (before, { kept_messages: kept, message_hashes: own, reply_hash: reply }) => [
      ...firstOf(before, kept),
      ...hashesOf(own, rows),
      ...(reply === null ? [] : [reply]),
    ],
    [],
  );
  const sections = chain.find((call) => call.sections !== undefined)?.sections;
  const toolsHash = chain.find((call) => call.tools_hash !== undefined)?.tools_hash;
  const { step = null, reply_hash: reply = null } = chain[0] ?? {};
  return { step, hashes, sentCount: hashes.length - (reply === null ? 0 : 1), sections, toolsHash };
}

/** The hashes of the thread's rows, by position. */
type RowHashes = ReadonlyMap<number, string>;

async function readRowHashes(
  db: Database,
  place: MessagePlace | null,
  names: readonly MessageName[],
): Promise<RowHashes> {
  const ranges = names.filter((name) => typeof name === "object");
  if (!place || ranges.length === 0) return new Map();
  const first = Math.min(...ranges.map(([from]) => from));
  const last = Math.max(...ranges.map(([, to]) => to));
  const rows = await db.message.findMany({
    where: { threadId: place.threadId, position: { gte: first, lte: last } },
    select: { position: true, bodyHash: true },
  });
  return new Map(rows.flatMap(({ position: at, bodyHash }) => (bodyHash === null ? [] : [[at, bodyHash]])));
}

/** One hash per message; null for a row that no longer exists. */
function hashesOf(names: readonly MessageName[], rows: RowHashes): (string | null)[] {
  return names.flatMap((name) => {
    if (typeof name === "string") return [name];
    const [first, last] = name;
    return Array.from({ length: last - first + 1 }, (_, index) => rows.get(first + index) ?? null);
  });
}

/** The first `count`, with null for each missing one. */
function firstOf(hashes: readonly (string | null)[], count: number): (string | null)[] {
  return Array.from({ length: count }, (_, index) => hashes[index] ?? null);
}

/** The messages with these hashes: stored for the trace, or rows of the thread, or in a running run's journal. */
async function readMessages(
  db: Database,
  { threadId, journal }: MessagePlace,
  hashes: readonly (string | null)[],
): Promise<Map<string, Message>> {
  const wanted = new Set(hashes.flatMap((name) => name ?? []));
  const found = new Map<string, Message>();
  for (const [name, text] of await readKeptTexts(db, [...wanted])) found.set(name, Message.parse(JSON.parse(text)));
  const missing = () => [...wanted].filter((name) => !found.has(name));
  for (const message of missing().length > 0 ? journal : []) {
    if (wanted.has(hashMessage(message))) found.set(hashMessage(message), message);
  }
  for (const names of chunks(missing())) {
    const rows = await db.message.findMany({ where: { threadId, bodyHash: { in: names } } });
    for (const row of rows) if (row.bodyHash !== null) found.set(row.bodyHash, toMessage(row));
  }
  return found;
}

const MAX_PER_QUERY = 500;

function chunks(names: readonly string[]): string[][] {
  const count = Math.ceil(names.length / MAX_PER_QUERY);
  return Array.from({ length: count }, (_, index) => names.slice(index * MAX_PER_QUERY, (index + 1) * MAX_PER_QUERY));
}

async function readTools(db: Database, name: string | null | undefined): Promise<ToolSchema[] | null> {
  const text = name == null ? undefined : (await readKeptTexts(db, [name])).get(name);
  return text === undefined ? null : z.array(ToolSchema).parse(JSON.parse(text));
}
