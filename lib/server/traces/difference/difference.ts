import "server-only";
import {
  DIFFERENCE_FACETS,
  type Difference,
  type DifferenceQuery,
  type Differences,
} from "@/lib/schema/traces/difference";
import type { FacetQuery } from "@/lib/schema/traces/trace";
import type { Viewer } from "@/lib/schema/users/user";
import type { Database } from "@/lib/server/platform/db/database";
import type { TraceSelection } from "@/lib/server/platform/db/queries/trace-list/conditions";
import { selectDifference, type ValueCount } from "@/lib/server/platform/db/queries/trace-list/difference";
import type { Services } from "@/lib/server/platform/services";
import { serverTimeZone, timeZoneOfUser } from "@/lib/server/platform/time/user-time-zones";
import { agentNames } from "@/lib/server/threads/thread-row";
import { selectionOf } from "@/lib/server/traces/list/trace-selection";
import { findProblem } from "@/lib/server/traces/problems/problems";
import { rangeLabel, ruleLabel, timeValues } from "./facet-values";
import { rankDifferences } from "./rank-differences";

type FacetName = Difference["facet"];

/**
 * What is different about runs of the viewer, against the others under the base's filters. What defines the selection
 * is left out, and so are replays, unless they are chosen by their ids or the filters name an origin. Throws
 * `invalid_input` as the list does.
 */
export async function findDifferences(
  services: Services,
  viewer: Viewer,
  { selection, base }: DifferenceQuery,
): Promise<Differences> {
  const { database } = services;
  const filters = "filters" in selection ? selection.filters : {};
  const [chosen, rest] = await Promise.all([
    selectionOf(services, viewer, filters),
    selectionOf(services, viewer, base?.filters ?? {}),
  ]);
  if (chosen.selection === null || rest.selection === null) return { selected: 0, rest: 0, differences: [] };
  const runIds = "runIds" in selection ? { runIds: selection.runIds } : {};
  const within = "runIds" in selection ? chosen.selection : withoutReplays(chosen.selection);
  const counted = await selectDifference(database, { within, ...runIds }, withoutReplays(rest.selection));
  const all = counted.find(({ facet }) => facet === "runs");
  const totals = { selected: all?.selected ?? 0, rest: all?.rest ?? 0 };
  const isDefining = await definedBy(database, viewer, filters);
  const values = toValues(counted, timeZoneOfUser(viewer.id) ?? serverTimeZone()).filter((value) => !isDefining(value));
  const ranked = rankDifferences(values, totals);
  return {
    ...totals,
    differences: (await withLabels(database, ranked)).map((value) => ({
      ...value,
      share: value.runs / totals.selected,
      baseShare: value.baseRuns / totals.rest,
    })),
  };
}

function withoutReplays(selection: TraceSelection): TraceSelection {
  return { ...selection, withoutReplays: selection.choices.origin === undefined };
}

interface FacetValue {
  readonly facet: FacetName;
  readonly value: string;
  readonly runs: number;
  readonly baseRuns: number;
}

function toValues(counted: readonly ValueCount[], zone: string): FacetValue[] {
  const values = counted.flatMap(({ facet, value, selected: runs, rest: baseRuns }): FacetValue[] => {
    const known = DIFFERENCE_FACETS.find((name) => name === facet);
    return known === undefined || known === "hour" ? [] : [{ facet: known, value, runs, baseRuns }];
  });
  const times = counted.filter(({ facet }) => facet === "hour");
  return [...values, ...timeValues(times, zone)];
}

const FACET_OF: Readonly<Partial<Record<keyof FacetQuery, FacetName>>> = {
  ...{ agentId: "agent", status: "status", version: "version", model: "model", origin: "origin", person: "person" },
  ...{ tool: "tool", toolFailed: "toolFailed", error: "error", score: "score", decision: "decision" },
};

/** What the runs of a problem have in common because it is one. */
const OF_A_PROBLEM: readonly FacetName[] = ["agent", "status", "error", "toolFailed"];

async function definedBy(
  database: Database,
  viewer: Viewer,
  filters: Partial<FacetQuery>,
): Promise<(value: FacetValue) => boolean> {
  const names = Object.entries(filters).flatMap(([field, chosen]) =>
    chosen === undefined || chosen === "" ? [] : (FACET_OF[field as keyof FacetQuery] ?? []),
  );
  const facets = new Set<FacetName>([...names, ...(filters.hasError ? (["status", "toolFailed"] as const) : [])]);
  if (filters.problemId === undefined) return ({ facet }) => facets.has(facet);
  for (const facet of OF_A_PROBLEM) facets.add(facet);
  const [kind, tool] = (await findProblem(database, viewer, filters.problemId))?.key.split(" ") ?? [];
  return ({ facet, value }) => facets.has(facet) || (facet === "tool" && kind !== "failed" && value === tool);
}

async function withLabels(
  database: Database,
  values: readonly FacetValue[],
): Promise<(FacetValue & { label: string })[]> {
  const ofFacet = (name: FacetName) => values.flatMap(({ facet, value }) => (facet === name ? [value] : []));
  const people = await database.user.findMany({
    where: { id: { in: ofFacet("person") } },
    select: { id: true, name: true },
  });
  const names: Readonly<Partial<Record<FacetName, ReadonlyMap<string, string>>>> = {
    agent: await agentNames(database, ofFacet("agent")),
    person: new Map(people.map(({ id, name }) => [id, name])),
  };
  return values.map((one) => ({ ...one, label: labelOf(one, names[one.facet]) }));
}

function labelOf({ facet, value }: FacetValue, names: ReadonlyMap<string, string> | undefined): string {
  if (facet === "steps" || facet === "inputTokens" || facet === "waited") return rangeLabel(facet, Number(value));
  if (facet === "version") return `v${value}`;
  return facet === "rule" ? ruleLabel(value) : (names?.get(value) ?? value);
}
