import "server-only";
import type { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import { RunOriginKind, RunStatus } from "@/lib/schema/runs/run";
import type { FacetQuery } from "@/lib/schema/traces/trace";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import type { Database } from "@/lib/server/platform/db/database";
import { foldNewTexts } from "@/lib/server/platform/db/queries/search/fold-texts";
import type { FacetChoices, FacetName, TraceSelection } from "@/lib/server/platform/db/queries/trace-list/conditions";
import { traceHasText, traceIs } from "@/lib/server/platform/db/queries/trace-list/text";
import { isMaskedText } from "@/lib/server/platform/masking";
import type { Services } from "@/lib/server/platform/services";
import { findProblem } from "@/lib/server/traces/problems/problems";
import { visibleTo } from "@/lib/server/traces/trace-access";

interface Selected {
  /** Null: nothing is found, because the problem does not exist or the text is one that is masked. */
  readonly selection: TraceSelection | null;
  /** How many texts a search can't find in every spelling yet. */
  readonly unfolded: number;
}

/** The runs that the viewer may see under these filters. Throws `invalid_input` for an unknown status or origin. */
export async function selectionOf(services: Services, viewer: Viewer, query: FacetQuery): Promise<Selected> {
  const { found, unfolded } = await findText(services.database, viewer, query.q?.trim() ?? "");
  if (found === null) return { selection: null, unfolded };
  const problem =
    query.problemId === undefined ? undefined : await findProblem(services.database, viewer, query.problemId);
  if (problem === null) return { selection: null, unfolded };
  const { since, until, attended, hasError, minCostUsd, maxCostUsd, minWorkedMs, maxWorkedMs } = query;
  const selection: TraceSelection = {
    ownerId: hasAdminScope(viewer) && !query.mine ? undefined : viewer.id,
    reach: viewer.reach,
    isDraft: query.drafts ?? false,
    choices: choicesOf(query),
    attended,
    since: since === undefined ? undefined : new Date(since),
    until: until === undefined ? undefined : new Date(until),
    ...{ minCostUsd, maxCostUsd, minWorkedMs, maxWorkedMs, hasError, problem },
    found,
  };
  return { selection, unfolded };
}

interface FoundText {
  /** Undefined if there is nothing to look for; null if it is found nowhere. */
  readonly found: TraceSelection["found"] | null;
  readonly unfolded: number;
}

/** What is shown masked is not confirmed by a search for it either. */
async function findText(database: Database, viewer: Viewer, text: string): Promise<FoundText> {
  if (text === "") return { found: undefined, unfolded: 0 };
  const unfolded = await foldNewTexts(database, ["trace", "transcript_message"]);
  const named = await namedBy(database, text, viewer);
  if (named !== null) return { found: named, unfolded };
  if (isMaskedText(text)) return { found: null, unfolded };
  return { found: await traceHasText(database, text, unfolded === 0), unfolded };
}

const FIELDS: Readonly<Record<FacetName, keyof FacetQuery>> = {
  agent: "agentId",
  ...{ status: "status", version: "version", model: "model", tool: "tool", toolFailed: "toolFailed" },
  ...{ error: "error", origin: "origin", person: "person", score: "score", decision: "decision", notes: "notes" },
};

function choicesOf(query: FacetQuery): FacetChoices {
  if (query.status) checkList(query.status, "status", RunStatus);
  if (query.origin) checkList(query.origin, "origin", RunOriginKind);
  return Object.fromEntries(
    Object.entries(FIELDS).flatMap(([name, field]) => {
      const value = query[field];
      return typeof value === "string" && value !== "" ? [[name, value.split(",")]] : [];
    }),
  );
}

function checkList(text: string, name: string, known: z.ZodType<string> & { options: readonly string[] }): void {
  if (text.split(",").every((word) => known.safeParse(word).success)) return;
  const message = `is not one of ${known.options.join(", ")}`;
  throw new AppError("invalid_input", `${name} ${message}`, { details: [{ path: name, message }] });
}

/** The traces with exactly this id, found by an index: a search of all texts would read every trace. */
async function namedBy(database: Database, text: string, viewer: Viewer) {
  for (const column of ["id", "runId"] as const) {
    const where = { AND: [visibleTo(viewer), { [column]: text }] };
    if (await database.trace.findFirst({ where, select: { id: true } })) return traceIs(column, text);
  }
  const thread = await database.thread.findUnique({ where: { id: text }, select: { id: true } });
  return thread === null ? null : traceIs("threadId", text);
}
