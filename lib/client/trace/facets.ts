import type { TraceFilterState } from "@/lib/client/trace/use-trace-filters";
import { ORIGIN_LABELS } from "./origin-labels";

/** The facets in the order in which the list offers them; each is a parameter of the list's URL. */
export const FACET_LABELS = {
  ...{ status: "Status", agent: "Agent", tool: "Tool used", toolFailed: "Tool failed", error: "Error" },
  ...{ version: "Version", model: "Model", origin: "Origin", person: "Person", decision: "Decision", score: "Rating" },
  notes: "Notes",
} as const;
export type FacetKey = keyof typeof FACET_LABELS;
export const FACET_KEYS = Object.keys(FACET_LABELS) as FacetKey[];

const STATUS_LABELS: Readonly<Record<string, string>> = { cancelled: "Stopped" };
const VALUE_LABELS: Readonly<Partial<Record<FacetKey, Readonly<Record<string, string>>>>> = {
  status: STATUS_LABELS,
  origin: ORIGIN_LABELS,
  score: { up: "Thumb up", down: "Thumb down" },
  notes: { yes: "With notes" },
};

/** A facet's value as people read it; `label` is what the server calls it. */
export function facetWord(facet: FacetKey, value: string, label = value): string {
  const word = VALUE_LABELS[facet]?.[value];
  if (word !== undefined) return word;
  if (facet === "version") return `v${value}`;
  if (facet === "status" || facet === "decision" || facet === "error") return sentence(value);
  return label;
}

function sentence(code: string): string {
  const words = code.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The URL's change that chooses these values of a facet; none takes it out of the URL. */
export function choose({ setUrl }: Pick<TraceFilterState, "setUrl">, facet: FacetKey, values: readonly string[]): void {
  void setUrl({ [facet]: values.length === 0 ? null : [...values] });
}
