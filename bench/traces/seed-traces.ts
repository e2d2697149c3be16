import { sqlJson } from "../../lib/server/platform/db/dialect";
import { keepUses } from "../../lib/server/platform/db/queries/trace-list/uses-of-runs";
import { isTiny } from "../is-tiny";
import { seedPromptTexts, seedRunCalls } from "./seed-run-calls";

type Database = import("../../lib/server/platform/db/database").Database;

export const RUNS = isTiny ? 40 : 40_000;
export const SPANS_PER_RUN = 25;
/** One more trace, as left by a run of more than a thousand steps. */
export const LONG_TRACE = { id: "long", spans: isTiny ? 100 : 10_000 };
/** In one title of a thousand. */
export const RARE_WORD = "quasar";

const PEOPLE = 20;
const AGENTS = 8;
/** So few that a statement about them ends before Postgres cancels it, on a busy machine too. */
const BATCH = 5_000;
const MINUTE_MS = 60_000;
const DAYS = 60;
const MODELS = ["openai:gpt-5", "anthropic:claude-sonnet-5", "google:gemini-3", "openai:gpt-5-mini"];

/** An installation with a million spans: people, agents, 60 days of runs with their traces and spans, one long trace. */
export async function seedTraces(db: Database): Promise<void> {
  await seedPeopleAndAgents(db);
  const batches = Array.from({ length: Math.ceil(RUNS / BATCH) }, (_, index) => runsFrom(index * BATCH));
  for (const runs of batches) await seedRuns(db, runs);
  await seedSpans(db);
  for (const runs of batches) await seedRunCalls(db, rangeOf(runs));
  await seedPromptTexts(db);
  await seedRuns(db, [{ ...runOf(RUNS), id: LONG_TRACE.id, traceId: LONG_TRACE.id, status: "completed" }]);
  await seedLongTrace(db);
  await keepUses(db, new Date(Date.now() - 1_440 * MINUTE_MS), { rest: async () => true });
  await db.raw("analyze");
}

async function seedPeopleAndAgents(db: Database): Promise<void> {
  const people = Array.from({ length: PEOPLE }, (_, index) => index);
  await db.user.createMany({
    data: people.map((index) => ({ id: `u${index}`, name: `Person ${index}`, email: `p${index}@example.test` })),
  });
  const agents = Array.from({ length: AGENTS }, (_, index) => `agent-${index}`);
  await db.agent.createMany({ data: agents.map((id) => ({ id })) });
  await db.agentVersion.createMany({
    data: agents.map((id) => ({ id: `${id}-1`, agentId: id, number: 1, config: '{"name":"Agent"}', configHash: id })),
  });
}

interface SeededRun {
  readonly id: string;
  readonly traceId: string;
  readonly threadId: string;
  readonly ownerId: string;
  readonly agentId: string;
  readonly agentVersionId: string;
  readonly title: string;
  readonly model: string;
  readonly status: string;
  readonly error: string | null;
  readonly errorCode: string | null;
  readonly problemKey: string | null;
  readonly origin: string;
  readonly steps: number;
  readonly inputTokens: number;
  readonly workedMs: number;
  readonly waitedMs: number;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly input: string;
}

/** Pseudo-random numbers, the same each time. */
function pick(number: number, salt: number, count: number): number {
  return Math.floor((Math.sin(number * 12.9898 + salt * 78.233) * 43_758.5453) % count) % count;
}

function runsFrom(from: number): SeededRun[] {
  return Array.from({ length: Math.min(BATCH, RUNS - from) }, (_, index) => runOf(from + index));
}

function rangeOf(runs: readonly SeededRun[]) {
  return { first: runs.at(0)?.traceId ?? "", last: runs.at(-1)?.traceId ?? "" };
}

function runOf(number: number): SeededRun {
  const key = String(number).padStart(6, "0");
  const one = (salt: number, count: number) => Math.abs(pick(number, salt, count));
  const agentId = `agent-${one(1, AGENTS)}`;
  const status = statusOf(one(2, 1_000));
  const code = ERROR_CODES[one(6, ERROR_CODES.length)] ?? "";
  const failed =
    status === "failed" ? { error: FAILURE, errorCode: code, problemKey: `failed ${code} ${FAILURE}` } : null;
  const workedMs = 2 ** one(8, 14) * (10 + one(9, 10));
  const startedMs = Date.now() - Math.floor(((RUNS - number) / RUNS) * DAYS * 1_440) * MINUTE_MS;
  const asked = `Question ${key}${one(3, 1_000) === 0 ? ` about a ${RARE_WORD}` : ""}`;
  return {
    id: `run${key}`,
    traceId: `trace${key}`,
    threadId: `thread${key}`,
    ownerId: `u${one(4, PEOPLE)}`,
    agentId,
    agentVersionId: `${agentId}-1`,
    title: asked,
    model: MODELS[one(5, MODELS.length)] ?? "",
    status,
    ...(failed ?? { error: null, errorCode: null, problemKey: null }),
    origin: ORIGINS[one(7, ORIGINS.length)] ?? "",
    steps: 1 + one(10, 40),
    inputTokens: 1_200 * (1 + one(11, 100)),
    ...{ workedMs, waitedMs: one(12, 10) === 0 ? 90_000 : 0 },
    startedAt: timestamp(startedMs),
    endedAt: timestamp(startedMs + workedMs),
    input: JSON.stringify({ messages: [{ id: "m", role: "user", content: asked }], transcriptPosition: 0 }),
  };
}

const ERROR_CODES = ["provider_error", "timeout", "budget_exceeded"];
const FAILURE = "The model's provider answered 500.";
const ORIGINS = ["chat", "chat", "chat", "api", "schedule", "webhook"];

function statusOf(share: number): string {
  if (share < 900) return "completed";
  if (share < 960) return "failed";
  return share < 995 ? "cancelled" : "interrupted";
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace("Z", "+00:00");
}

const RUN_COLUMNS = {
  id: "text",
  traceId: "text",
  threadId: "text",
  ownerId: "text",
  agentId: "text",
  agentVersionId: "text",
  title: "text",
  model: "text",
  status: "text",
  error: "text",
  errorCode: "text",
  problemKey: "text",
  origin: "text",
  steps: "integer",
  inputTokens: "integer",
  workedMs: "integer",
  waitedMs: "integer",
  startedAt: "timestamp",
  endedAt: "timestamp",
  input: "text",
} as const;

async function seedRuns(db: Database, runs: readonly SeededRun[]): Promise<void> {
  const source = db.dialect.rows("r", RUN_COLUMNS, "$1");
  const json = sqlJson(runs);
  await db.raw(
    `insert into "thread" ("id", "ownerId", "agentId", "clientId", "title", "createdAt", "updatedAt")
     select r."threadId", r."ownerId", r."agentId", r."threadId", r."title", r."startedAt", r."startedAt" from ${source}`,
    [json],
  );
  await db.raw(
    `insert into "run" ("id", "threadId", "ownerId", "agentId", "agentVersionId", "traceId", "status", "input",
       "assistantMessageId", "createdAt", "startedAt", "endedAt")
     select r."id", r."threadId", r."ownerId", r."agentId", r."agentVersionId", r."traceId", r."status", r."input",
       'a', r."startedAt", r."startedAt", r."endedAt" from ${source}`,
    [json],
  );
  await db.raw(
    `insert into "trace" ("id", "runId", "ownerId", "threadId", "agentId", "agentVersionId", "agentVersion", "title",
       "firstLine", "model", "status", "error", "errorCode", "problemKey", "origin", "steps", "inputTokens",
       "outputTokens", "costUsd", "workedMs", "waitedMs", "startedAt", "endedAt")
     select r."traceId", r."id", r."ownerId", r."threadId", r."agentId", r."agentVersionId", 1, r."title",
       r."title", r."model", r."status", r."error", r."errorCode", r."problemKey", r."origin", r."steps",
       r."inputTokens", 300, 0.004, r."workedMs", r."waitedMs", r."startedAt", r."endedAt" from ${source}`,
    [json],
  );
}

/** The same spans in every trace, generated by the database: only their number matters to the list. */
async function seedSpans(db: Database): Promise<void> {
  const numbers = Array.from({ length: SPANS_PER_RUN }, (_, index) => ({ name: index === 0 ? "agent" : "tool" }));
  await db.raw(
    `insert into "span" ("id", "traceId", "runId", "parentId", "type", "name", "status", "attributes", "startedAt",
       "endedAt")
     select t."id" || '-' || n."ordinal", t."id", t."runId",
       case when n."ordinal" = 1 then null else t."id" || '-1' end, n."name", n."name", 'completed',
       '{"tool_name":"read_file","tool_args":{"path":"/notes.md"}}', t."startedAt", t."endedAt"
     from "trace" t cross join ${db.dialect.rows("n", { name: "text" }, "$1")} order by t."id", n."ordinal"`,
    [sqlJson(numbers)],
  );
}

const SPANS_PER_STEP = 8;

async function seedLongTrace(db: Database): Promise<void> {
  const startedMs = Date.now() - 60 * MINUTE_MS;
  const spans = Array.from({ length: LONG_TRACE.spans }, (_, index) => longSpan(index, startedMs));
  const columns = { id: "text", parentId: "text", type: "text", name: "text", status: "text" } as const;
  const rest = { error: "text", attributes: "text", startedAt: "timestamp", endedAt: "timestamp" } as const;
  await db.raw(
    `insert into "span" ("id", "traceId", "runId", "parentId", "type", "name", "status", "attributes", "error",
       "startedAt", "endedAt")
     select s."id", '${LONG_TRACE.id}', '${LONG_TRACE.id}', s."parentId", s."type", s."name", s."status",
       s."attributes", s."error", s."startedAt", s."endedAt" from ${db.dialect.rows("s", { ...columns, ...rest }, "$1")}`,
    [sqlJson(spans)],
  );
}

/** A root, then steps of one model call and seven tool calls; one call in a hundred failed. */
function longSpan(index: number, startedMs: number) {
  const step = Math.ceil(index / SPANS_PER_STEP);
  const isCall = index % SPANS_PER_STEP === 1;
  const at = startedMs + index * 100;
  const base = { id: `s${String(index).padStart(5, "0")}`, startedAt: timestamp(at), endedAt: timestamp(at + 90) };
  if (index === 0) {
    const endedAt = timestamp(startedMs + LONG_TRACE.spans * 100);
    return { ...base, endedAt, parentId: null, type: "agent", name: "agent", status: "completed", attributes: "{}" };
  }
  const failed = !isCall && index % 100 === 0;
  return {
    ...base,
    parentId: "s00000",
    type: isCall ? "llm" : "tool",
    name: isCall ? "openai:gpt-5" : "read_file",
    status: failed ? "failed" : "completed",
    error: failed ? "There is no such file." : null,
    attributes: JSON.stringify(isCall ? callAttributes(step) : toolAttributes(step, index)),
  };
}

function callAttributes(step: number) {
  return { step, model: "openai:gpt-5", input_tokens: 4_000, output_tokens: 120, time_to_first_token_ms: 30 };
}

function toolAttributes(step: number, index: number) {
  const text = `Line ${index}: ${"what the tool returned, in a few words. ".repeat(6)}`;
  return {
    step,
    tool_name: "read_file",
    tool_args: `{"path":"/notes/${index}.md"}`,
    output_preview: text,
    output_chars: 900,
  };
}
