import "server-only";
import { z } from "zod";
import { ToolAnnotations } from "@/lib/schema/tools/tool";
import type { CannotUndo } from "@/lib/schema/traces/undo";
import type { Database } from "@/lib/server/platform/db/database";
import { maskText } from "@/lib/server/platform/masking";
import { userNames } from "@/lib/server/users/user-names";
import { MESSAGE } from "@/lib/tools/message";
import { SCHEDULE } from "@/lib/tools/schedule";
import { TEAM_TASKS } from "@/lib/tools/team-tasks";

type CallRow = NonNullable<Awaited<ReturnType<Database["call"]["findFirst"]>>>;

export interface ReachedOutside {
  readonly calls: readonly CannotUndo[];
  /** False where the calls of the runs were not recorded, or are no longer kept. */
  readonly areKnown: boolean;
  /** How many files that commands changed have no version. */
  readonly filesLeftOut: number;
}

/** The calls of these runs that may have reached another system, in order; masked like a trace. */
export async function reachedOutside(database: Database, runIds: readonly string[]): Promise<ReachedOutside> {
  const where = { runId: { in: [...runIds] } };
  const [calls, results] = await Promise.all([
    database.call.findMany({ where, orderBy: [{ startedAt: "asc" }, { toolCallId: "asc" }] }),
    database.message.count({ where: { ...where, role: "tool" } }),
  ]);
  const left = calls.filter((call) => hasRun(call) && leavesHouse(call));
  const names = await userNames(
    database,
    left.map(({ decidedBy }) => decidedBy),
  );
  return {
    calls: left.map((call) => ({
      toolCallId: call.toolCallId,
      tool: call.tool,
      gist: maskText(call.gist),
      allowedBy: allowedBy(call, names),
    })),
    filesLeftOut: calls.reduce((sum, { filesLeftOut }) => sum + (filesLeftOut ?? 0), 0),
    areKnown: calls.length > 0 || results === 0,
  };
}

const REFUSED: readonly (string | null)[] = ["deny", "declined", "expired"];

function hasRun({ status, verdict, decision }: CallRow): boolean {
  if (status === "waiting" || REFUSED.includes(decision)) return false;
  return verdict !== "deny";
}

/** What only lists; the others make, change or send. */
const LISTS = z.looseObject({ action: z.enum(["list", "get", "read"]) });

function leavesHouse({ tool, kind, annotations, hadNetwork, args }: CallRow): boolean {
  if (tool === MESSAGE) return true;
  if (tool === SCHEDULE || tool === TEAM_TASKS) return !LISTS.safeParse(JSON.parse(args ?? "{}")).success;
  const { openWorld, readOnly } = ToolAnnotations.parse(JSON.parse(annotations));
  if (!openWorld || readOnly) return false;
  // A command without network reached nothing; what is not known may have.
  return kind !== "command" || hadNetwork !== false;
}

function allowedBy(call: CallRow, names: ReadonlyMap<string, string>): string | null {
  const { decidedBy, grantId, verdictBy, rule, mode } = call;
  if (decidedBy !== null) return `${names.get(decidedBy) ?? "A person"} allowed it`;
  if (grantId !== null) return "A standing permission";
  if (rule !== null) return `Rule: ${maskText(ruleText(rule))}`;
  if (verdictBy === "off") return "The agent’s permissions are off";
  return mode === null ? null : `Mode: ${mode}`;
}

const Rule = z.union([
  z.string(),
  z.looseObject({ tool: z.string(), args: z.record(z.string(), z.unknown()).default({}) }),
]);

function ruleText(json: string): string {
  const rule = Rule.safeParse(JSON.parse(json));
  if (!rule.success) return json;
  if (typeof rule.data === "string") return rule.data;
  const { tool, args } = rule.data;
  const words = Object.entries(args).map(([name, pattern]) => `${name}: ${String(pattern)}`);
  return words.length === 0 ? tool : `${tool} (${words.join(", ")})`;
}
