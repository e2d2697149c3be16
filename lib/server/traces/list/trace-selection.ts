import "server-only";
import type { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import { fold } from "@/lib/schema/fold";
import { RunOriginKind, RunStatus } from "@/lib/schema/runs/run";
import type { FacetQuery } from "@/lib/schema/traces/trace";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import type { Database } from "@/lib/server/platform/db/database";
import { foldNewTexts } from "@/lib/server/platform/db/queries/search/fold-texts";
import { maskNewTexts } from "@/lib/server/platform/db/queries/search/mask-texts";
import type { FacetChoices, FacetName, TraceSelection } from "@/lib/server/platform/db/queries/trace-list/conditions";
import { traceHasText, traceIs } from "@/lib/server/platform/db/queries/trace-list/text";
import { hasSecret } from "@/lib/server/platform/masking";
import type { Services } from "@/lib/server/platform/services";
import { currentSettings } from "@/lib/server/settings/settings-state";
import { findProblem } from "@/lib/server/traces/problems/problems";
import { visibleTo } from "@/lib/server/traces/trace-access";

interface Selected {
  /** Null: nothing is found, because the problem does not exist or the text has a secret. */
  readonly selection: TraceSelection | null;
  readonly waiting: WaitingTexts;
}

interface WaitingTexts {
  /** How many texts a search can't find in every spelling yet. */
  readonly unfolded: number;
  /** How many it leaves out, because the masking rules were not applied to them yet. */
  readonly unmasked: number;
}

/** The runs that the viewer may see under these filters. Throws `invalid_input` for an unknown status or origin. */
export async function selectionOf(services: Services, viewer: Viewer, query: FacetQuery): Promise<Selected> {
  const { found, waiting } = await findText(services.database, viewer, query.q?.trim() ?? "");
  if (found === null) return { selection: null, waiting };
  const problem =
    query.problemId === undefined ? undefined : await findProblem(services.database, viewer, query.problemId);
  if (problem === null) return { selection: null, waiting };
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
  return { selection, waiting };
}

interface FoundText {
  /** Undefined if there is nothing to look for; null if it is found nowhere. */
  readonly found: TraceSelection["found"] | null;
  readonly waiting: WaitingTexts;
}

/** What is shown masked is not confirmed by a search for it either. */
async function findText(database: Database, viewer: Viewer, text: string): Promise<FoundText> {
  if (text === "") return { found: undefined, waiting: { unfolded: 0, unmasked: 0 } };
  const unfolded = await foldNewTexts(database, ["trace", "transcript_message"]);
  const waiting = { unfolded, unmasked: await maskNewTexts(database) };
  const named = await namedBy(database, text, viewer);
  if (named !== null) return { found: named, waiting };
  if (hasSecret(text)) return { found: null, waiting };
  const { rules } = currentSettings().masking;
  const isReplacement = rules.some(({ replacement }) => mayShow(replacement, text));
  return {
    found: await traceHasText(database, { text, isWhole: unfolded === 0, isReplacement, readerId: viewer.id }),
    waiting,
  };
}

/** Whether a text that is shown may be there only because a rule has put this in place of another. */
function mayShow(replacement: string, text: string): boolean {
  const sought = fold(text);
  const pieces = fold(replacement)
    .split(/\$[&0-9]+/u)
    .filter((piece) => piece !== "");
  // What is left out brings its neighbours together.
  if (pieces.length === 0) return true;
  return pieces.some((put) => put.includes(sought) || isJoint(put, sought) || isJoint(sought, put));
}

/** Shorter joints are too many: each would have all the masked texts read. */
const SHORTEST_JOINT_CHARS = 3;

/** Whether the end of the first text is the beginning of the second. */
function isJoint(first: string, second: string): boolean {
  const most = Math.min(first.length, second.length);
  const shortest = Math.min(SHORTEST_JOINT_CHARS, most);
  for (let length = shortest; length <= most; length++) if (first.endsWith(second.slice(0, length))) return true;
  return first.includes(second);
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
