import { plainGist } from "@/lib/schema/tools/plain-gist";
import type { DigestLine } from "@/lib/schema/traces/digest";
import type { Span } from "@/lib/schema/traces/span";
import type { Trace } from "@/lib/schema/traces/trace";
import { type VersionBefore, versionLines } from "./version-lines";

const MOST_FAILURES = 3;
const MOST_REFUSED = 3;
const MOST_WAITS = 2;
const MIN_WAIT_MS = 1_000;
/** What took or cost less than this share is not worth a line. */
const MIN_SHARE = 0.3;
const MIN_TOOK_MS = 1_000;
const MAX_ERROR_CHARS = 200;

/** What is worth knowing of a run, by rules: what failed, was refused, waited, took longest, cost most and is new. */
export function digestOf(trace: Trace, before: VersionBefore | null): DigestLine[] {
  const { spans } = trace;
  const root = spans.find(({ parentId, type }) => parentId === null && type === "agent") ?? spans[0];
  if (root === undefined) return [];
  return [
    ...failedLines(spans),
    ...refusedLines(spans),
    ...waitedLines(spans),
    ...longestLine(trace),
    ...dearestLine(spans),
    ...versionLines(trace, before, root.id),
  ];
}

/** Where it began: spans that failed and contain none that did. */
function failedLines(spans: readonly Span[]): DigestLine[] {
  const failed = spans.filter((span) => span.status === "failed" && refusalOf(span) === null);
  const parents = new Set(failed.map(({ parentId }) => parentId));
  const causes = failed.filter(({ id }) => !parents.has(id));
  const alike = Map.groupBy(causes, ({ type, attributes, error }) =>
    JSON.stringify([type, attributes.tool_name, error]),
  );
  const lines = [...alike.values()].flatMap((group) => {
    const last = group.at(-1);
    if (last === undefined) return [];
    const error = (last.error ?? "").split("\n", 1)[0]?.slice(0, MAX_ERROR_CHARS) ?? "";
    return { kind: "failed" as const, ...callOf(last), error, times: group.length };
  });
  return lines.slice(-MOST_FAILURES).toReversed();
}

function refusedLines(spans: readonly Span[]): DigestLine[] {
  const refused = spans.flatMap((span) => {
    const how = refusalOf(span);
    return how === null ? [] : [{ how, span }];
  });
  const alike = Map.groupBy(refused, ({ how, span }) => JSON.stringify([how, span.attributes.tool_name]));
  return [...alike.values()].slice(0, MOST_REFUSED).flatMap((group) => {
    const last = group.at(-1);
    return last === undefined
      ? []
      : { kind: "refused" as const, ...callOf(last.span), how: last.how, times: group.length };
  });
}

const REFUSALS = ["rule", "declined", "expired"] as const;

function refusalOf({ attributes }: Span) {
  return REFUSALS.find((how) => how === attributes.refused) ?? null;
}

const WAITS: ReadonlySet<unknown> = new Set(["approval", "question", "connect"]);

function waitedLines(spans: readonly Span[]): DigestLine[] {
  const waits = spans.flatMap((span) => {
    const waitedMs = WAITS.has(span.attributes.waiting_for) ? durationOf(span) : 0;
    const { asked_of: person } = span.attributes;
    return waitedMs < MIN_WAIT_MS
      ? []
      : { kind: "waited" as const, ...callOf(span), waitedMs, person: typeof person === "string" ? person : null };
  });
  return waits.toSorted((a, b) => b.waitedMs - a.waitedMs).slice(0, MOST_WAITS);
}

/** Of the calls that contain no others. */
function longestLine({ spans, durationMs, waitedMs }: Trace): DigestLine[] {
  if (durationMs === null || durationMs <= waitedMs) return [];
  const parents = new Set(spans.map(({ parentId }) => parentId));
  const calls = spans.filter(
    ({ id, type, attributes }) =>
      (type === "tool" || type === "llm") && !parents.has(id) && !WAITS.has(attributes.waiting_for),
  );
  const longest = largest(calls, durationOf);
  if (longest === null) return [];
  const tookMs = durationOf(longest);
  const share = Math.min(1, tookMs / (durationMs - waitedMs));
  const isWorthIt = tookMs >= MIN_TOOK_MS && share >= MIN_SHARE && calls.length > 1;
  return isWorthIt ? [{ kind: "longest", ...callOf(longest), tookMs, share }] : [];
}

function dearestLine(spans: readonly Span[]): DigestLine[] {
  const priced = spans.filter((span) => span.type === "llm" && costOf(span) > 0);
  const total = priced.reduce((sum, span) => sum + costOf(span), 0);
  const dearest = largest(priced, costOf);
  if (dearest === null || priced.length < 2) return [];
  const costUsd = costOf(dearest);
  const { step } = dearest.attributes;
  const share = costUsd / total;
  if (share < MIN_SHARE) return [];
  return [{ kind: "dearest", spanId: dearest.id, step: typeof step === "number" ? step : null, costUsd, share }];
}

function costOf({ attributes }: Span): number {
  return typeof attributes.cost_usd === "number" ? attributes.cost_usd : 0;
}

function durationOf({ startedAtMs, endedAtMs }: Span): number {
  return endedAtMs === null ? 0 : endedAtMs - startedAtMs;
}

function largest(spans: readonly Span[], measure: (span: Span) => number): Span | null {
  return spans.reduce<Span | null>((most, span) => (most && measure(most) >= measure(span) ? most : span), null);
}

function callOf({ id, type, name, attributes }: Span) {
  const tool = type === "tool" ? String(attributes.tool_name ?? name) : null;
  const { tool_args: args } = attributes;
  const isRead = typeof args === "object" && args !== null && !Array.isArray(args);
  return { spanId: id, tool, gist: isRead ? plainGist({ ...args }) : "" };
}
