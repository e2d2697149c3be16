import { sqlJson } from "../../lib/server/platform/db/dialect";

type Database = import("../../lib/server/platform/db/database").Database;

/** What a run of the list called, on average. */
export const CALLS_PER_RUN = 10;
/** Runs differ in their calls by the last three digits of their id. */
const KINDS_OF_RUNS = 1_000;

const TOOLS = [
  { tool: "read_file", argument: "path", rule: null },
  { tool: "execute", argument: "command", rule: '{"tool":"execute","args":{"command":"npm *"}}' },
  { tool: "search_files", argument: "pattern", rule: null },
  { tool: "write_file", argument: "path", rule: '"write_file"' },
  { tool: "web_fetch", argument: "url", rule: null },
  { tool: "mcp__github__list_issues", argument: "repository", rule: '"mcp__github__*"' },
  { tool: "mcp__github__create_issue", argument: "title", rule: null },
  { tool: "delegate", argument: "task", rule: null },
  { tool: "edit_file", argument: "path", rule: '{"tool":"edit_file","args":{"path":"src/**"}}' },
  { tool: "list_files", argument: "path", rule: null },
] as const;

const COLUMNS = {
  kind: "text",
  id: "text",
  step: "integer",
  tool: "text",
  gist: "text",
  args: "text",
  verdict: "text",
  rule: "text",
  decision: "text",
  status: "text",
  error: "text",
  problemKey: "text",
  tookMs: "integer",
} as const;

interface TraceRange {
  readonly first: string;
  readonly last: string;
}

/**
 * Ten calls in each run whose trace is in the range (inclusive ids), most of them as many others made: one in 25 failed,
 * one in 50 was refused.
 */
export async function seedRunCalls(db: Database, { first, last }: TraceRange): Promise<void> {
  const calls = Array.from({ length: KINDS_OF_RUNS }, (_, kind) => callsOf(kind)).flat();
  // Materialized, so that SQLite makes an index of them instead of reading the JSON again for each trace.
  await db.raw(
    `with "kinds" as materialized (select * from ${db.dialect.rows("c", COLUMNS, "$1")})
     insert into "call" ("runId", "toolCallId", "traceId", "rootRunId", "threadId", "ownerId", "agentId",
       "agentVersionId", "agentVersion", "step", "spanId", "tool", "kind", "gist", "args", "argsHash", "annotations",
       "aliases", "workdir", "subject", "verdict", "verdictBy", "rule", "decision", "status", "error", "problemKey",
       "tookMs", "startedAt", "endedAt")
     select t."runId", c."id", t."id", t."runId", t."threadId", t."ownerId", t."agentId", t."agentVersionId",
       t."agentVersion", c."step", t."id" || '-' || (c."step" + 1), c."tool", 'tool', c."gist", c."args", c."id", '{}', '[]',
       '/workspace', '{}', c."verdict", case when c."rule" is null then 'mode' else 'rule' end, c."rule", c."decision",
       c."status", c."error", c."problemKey", c."tookMs", t."startedAt", t."endedAt"
     from "trace" t join "kinds" c on c."kind" = substr(t."id", length(t."id") - 2, 3)
     where t."id" between $2 and $3 order by t."id", c."id"`,
    [sqlJson(calls), first, last],
  );
}

function callsOf(kind: number) {
  const count = CALLS_PER_RUN - 6 + (kind % 13);
  return Array.from({ length: count }, (_, step) => callOf(kind, step));
}

function callOf(kind: number, step: number) {
  const number = kind * CALLS_PER_RUN + step;
  // The first tools are called far more often than the last ones.
  const { tool, argument, rule } = TOOLS[Math.floor(share(number) ** 2 * TOOLS.length)] ?? TOOLS[0];
  const end = endOf(number);
  const error = end === "failed" ? `There is no ${argument} like that.` : null;
  return {
    kind: String(kind).padStart(3, "0"),
    id: `call${step}`,
    step,
    ...{ tool, rule, gist: `${argument} of call ${number}` },
    args: JSON.stringify({ [argument]: `what call ${number} was given, in some words. `.repeat(8) }),
    ...DECISIONS[end === "refused" ? end : tool === "execute" ? "asked" : "allowed"],
    status: end === "completed" ? end : "failed",
    ...{ error, problemKey: error === null ? null : `tool_error ${tool} ${error}` },
    tookMs: end === "completed" ? 20 + ((number * 37) % 900) : null,
  };
}

const DECISIONS = {
  refused: { verdict: "deny", decision: null },
  asked: { verdict: "ask", decision: "allow" },
  allowed: { verdict: "allow", decision: null },
} as const;

function endOf(number: number): "completed" | "failed" | "refused" {
  if (number % 25 === 4) return "failed";
  return number % 50 === 7 ? "refused" : "completed";
}

/** Pseudo-random, 0 to 1, the same each time. */
function share(number: number): number {
  return Math.abs((Math.sin(number * 12.9898) * 43_758.5453) % 1);
}

/** An approval in every tenth run and a thumb on every twentieth. */
export async function seedPromptTexts(db: Database): Promise<void> {
  const isLast = (digits: string) =>
    `substr("id", length("id") - ${digits.length - 1}, ${digits.length}) = '${digits}'`;
  await db.raw(
    `insert into "approval" ("id", "runId", "threadId", "ownerId", "kind", "toolCallId", "tool", "args", "status",
       "createdAt")
     select 'ask' || "id", "runId", "threadId", "ownerId", 'approval', 'call1', 'execute', '{}',
       case when ${isLast("03")} then 'denied' else 'approved' end, "startedAt" from "trace" where ${isLast("3")}`,
  );
  for (const [digits, value] of [
    ["05", 1],
    ["15", 1],
    ["25", -1],
    ["35", 1],
    ["45", -1],
  ] as const) {
    await db.raw(
      `insert into "score" ("id", "traceId", "threadId", "runId", "spanId", "name", "value", "authorId", "createdAt",
         "updatedAt")
       select 'score' || "id", "id", "threadId", "runId", "id" || '-1', 'thumb', ${value}, "ownerId", "startedAt",
         "endedAt" from "trace" where ${isLast(digits)}`,
    );
  }
}
