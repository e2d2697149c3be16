import "server-only";
import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { CompareQuery } from "@/lib/schema/traces/compare-runs";
import { ScoreBody } from "@/lib/schema/traces/score";
import { TraceFilters } from "@/lib/schema/traces/trace";
import type { Viewer } from "@/lib/schema/users/user";
import { parseInput } from "@/lib/server/http/reply";
import type { Services } from "@/lib/server/platform/services";
import { compareRuns } from "@/lib/server/traces/compare/compare-runs";
import { listTraces } from "@/lib/server/traces/list/list-traces";
import { readTrace } from "@/lib/server/traces/read/read-trace";
import { toMarkdown } from "@/lib/server/traces/read/to-markdown";
import { giveScore } from "@/lib/server/traces/scores/scores";

const { q, agentId, status, model, origin, tool, toolFailed, error, score, since, until, sort, cursor } =
  TraceFilters.shape;

const FindRuns = z.strictObject({
  q: q.describe("An id of a run, trace or thread, or a text in the title, the messages, the error or the model."),
  agentId: agentId.describe("Ids of agents, separated by commas."),
  status: status.describe("running, waiting, completed, failed, cancelled, interrupted or limit; several with commas."),
  ...{ model, origin, tool, error },
  toolFailed: toolFailed.describe("Tools of which a call failed, separated by commas."),
  score: score.describe("How people rated it: up, down."),
  hasError: z.boolean().optional().describe("It failed, or one of its calls did."),
  since: since.describe("ISO 8601."),
  until: until.describe("ISO 8601."),
  ...{ sort, cursor },
  limit: z.int().min(1).max(100).default(20),
});

const MAX_CHARS = 200_000;
const ReadRun = z.strictObject({
  run: RowId.describe("The id of a run or trace."),
  offset: z.int().min(0).default(0).describe("Where in the text to begin, in characters."),
  maxChars: z.int().min(1_000).max(MAX_CHARS).default(40_000),
});

const ScoreRun = ScoreBody.omit({ name: true }).extend({
  value: ScoreBody.shape.value.describe("1 for a thumb up, -1 for a thumb down."),
});

/** A tool for traces, with the same code and rights as the route of the same purpose below `/api`. */
interface TraceTool {
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodType;
  readonly annotations: Tool["annotations"];
  run(services: Services, viewer: Viewer, args: unknown): Promise<string>;
}

const READS = { readOnlyHint: true, openWorldHint: false } as const;

const TRACE_TOOLS = {
  find_runs: {
    title: "Find runs",
    description:
      "Lists runs of agents, newest first, under any filters: status, cost, times, tokens and errors as JSON.",
    input: FindRuns,
    annotations: READS,
    run: async (services, viewer, args) => JSON.stringify(await listTraces(services, viewer, parse(FindRuns, args))),
  },
  read_run: {
    title: "Read a run",
    description:
      "One run in reading order, as Markdown: messages, steps, tool calls with their results, waits, subagents.",
    input: ReadRun,
    annotations: READS,
    run: async (services, viewer, args) => {
      const { run, offset, maxChars } = parse(ReadRun, args);
      return partOf(toMarkdown(await readTrace(services, viewer, run)), offset, maxChars);
    },
  },
  compare_runs: {
    title: "Compare two runs",
    description:
      "Two runs side by side as JSON: tokens, cost and time, and the steps that differ with their calls and texts.",
    input: CompareQuery,
    annotations: READS,
    run: async (services, viewer, args) => {
      const { steps, ...compared } = await compareRuns(services, viewer, parse(CompareQuery, args));
      const different = steps.filter(({ same }) => !same);
      return JSON.stringify({ ...compared, stepsInAll: steps.length, differentSteps: different });
    },
  },
  score_run: {
    title: "Score a run",
    description: "Gives the reply of a run a thumb, with a reason and a correction; your thumb of before is replaced.",
    input: ScoreRun,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: async (services, viewer, args) =>
      JSON.stringify(await giveScore(services.database, viewer, { ...parse(ScoreRun, args), name: "thumb" })),
  },
} as const satisfies Readonly<Record<string, TraceTool>>;

type TraceToolName = keyof typeof TRACE_TOOLS;

/** Names that no agent's tool has. */
export const TRACE_TOOL_NAMES: readonly string[] = Object.keys(TRACE_TOOLS);

export function isTraceTool(name: string): name is TraceToolName {
  return Object.hasOwn(TRACE_TOOLS, name);
}

/** The definitions of the tools for traces. */
export function listTraceTools(): Tool[] {
  return Object.entries(TRACE_TOOLS).map(([name, { title, description, input, annotations }]) => ({
    name,
    title,
    description,
    inputSchema: z.toJSONSchema(input, { io: "input", unrepresentable: "any" }) as unknown as Tool["inputSchema"],
    annotations: { title, ...annotations },
  }));
}

/** Calls one with the viewer's rights. Throws `not_found` for runs that are not the viewer's to see, `invalid_input`. */
export async function callTraceTool(
  services: Services,
  viewer: Viewer,
  name: TraceToolName,
  args: unknown,
): Promise<CallToolResult> {
  return { content: [{ type: "text", text: await TRACE_TOOLS[name].run(services, viewer, args) }] };
}

function parse<Schema extends z.ZodType>(schema: Schema, args: unknown): z.output<Schema> {
  return parseInput(schema, args, "body");
}

function partOf(text: string, offset: number, maxChars: number): string {
  const part = text.slice(offset, offset + maxChars).toWellFormed();
  const rest = Math.max(0, text.length - offset - maxChars);
  return rest === 0 ? part : `${part}\n\n[${rest} more characters: read on with offset ${offset + maxChars}.]`;
}
