import "server-only";
import type { ParsedSearch, ParseSearchBody } from "@/lib/schema/traces/list/parsed-search";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import type { Services } from "@/lib/server/platform/services";
import { serverTimeZone, timeZoneOfUser } from "@/lib/server/platform/time/user-time-zones";
import { listFacets } from "./list-facets";
import { parseSearch } from "./parse-search";

/** What the words mean as filters; names are those of the runs that the viewer may see. */
export async function findMeaning(
  services: Services,
  viewer: Viewer,
  { text, timezone }: ParseSearchBody,
): Promise<ParsedSearch> {
  const { facets } = await listFacets(services, viewer, {});
  const valuesOf = (facet: string) => facets.find(({ name }) => name === facet)?.values ?? [];
  const named = (facet: string) => valuesOf(facet).map(({ value, label }) => ({ id: value, name: label }));
  const known = {
    agents: named("agent"),
    people: hasAdminScope(viewer) ? named("person") : [],
    tools: valuesOf("tool").map(({ value }) => value),
    models: valuesOf("model").map(({ value }) => value),
  };
  const timeZone = timezone ?? timeZoneOfUser(viewer.id) ?? serverTimeZone();
  return parseSearch(text, known, { nowMs: Date.now(), timeZone });
}
