import "server-only";
import type { FacetList, FacetQuery } from "@/lib/schema/traces/trace";
import type { Viewer } from "@/lib/schema/users/user";
import { FACETS } from "@/lib/server/platform/db/queries/trace-list/conditions";
import { selectFacets } from "@/lib/server/platform/db/queries/trace-list/facets";
import type { Services } from "@/lib/server/platform/services";
import { agentNames } from "@/lib/server/threads/thread-row";
import { selectionOf } from "./trace-selection";

const MAX_VALUES = 50;

/** Counts of the viewer's traces under the filters, per value of each facet. Throws `invalid_input` as the list does. */
export async function listFacets(services: Services, viewer: Viewer, query: FacetQuery): Promise<FacetList> {
  const { database } = services;
  const countedAt = new Date().toISOString();
  const { selection } = await selectionOf(services, viewer, query);
  const counts = Map.groupBy(selection === null ? [] : await selectFacets(database, selection), ({ facet }) => facet);
  const valuesOf = (name: (typeof FACETS)[number]) => (counts.get(name) ?? []).slice(0, MAX_VALUES);
  const people = await database.user.findMany({
    where: { id: { in: valuesOf("person").map(({ value }) => value) } },
    select: { id: true, name: true },
  });
  const labels: Readonly<Partial<Record<string, ReadonlyMap<string, string>>>> = {
    agent: await agentNames(
      database,
      valuesOf("agent").map(({ value }) => value),
    ),
    person: new Map(people.map(({ id, name }) => [id, name])),
  };
  const facets = FACETS.map((name) => ({
    name,
    values: valuesOf(name).map(({ value, count }) => ({ value, label: labels[name]?.get(value) ?? value, count })),
  }));
  return { runs: counts.get("runs")?.[0]?.count ?? 0, facets, countedAt };
}
