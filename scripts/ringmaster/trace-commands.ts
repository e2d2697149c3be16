// ringmaster traces: what the key may see, as the server masks it.
import { writeFileSync } from "node:fs";
import { signOf, stepSign, stepText } from "@/lib/client/trace/compare/compare-labels";
import { spanGist, spanKind, spanLabel, summarizeSpan } from "@/lib/client/trace/span-summary";
import { type ComparedCall, ComparedRuns, type ComparedStep } from "@/lib/schema/traces/compare-runs";
import { ParsedSearch } from "@/lib/schema/traces/list/parsed-search";
import type { Span } from "@/lib/schema/traces/span";
import { TraceExport } from "@/lib/schema/traces/span-body";
import { Trace, TraceList, type TraceSummary } from "@/lib/schema/traces/trace";
import type { CommandReport } from "./command";

type CallServer = (method: string, url: string, body?: unknown) => Promise<unknown>;

/** As the filters of the page; absent ones do not filter. */
export interface TraceChoice {
  readonly agentId: string | undefined;
  readonly status: string | undefined;
  readonly q: string | undefined;
  /** ISO 8601. */
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly limit: string | undefined;
}

/** One line per run, newest first: when, how it ended, how long it took, what it cost, which agent, its id, its title. */
export async function listTraces(call: CallServer, choice: TraceChoice, asJson: boolean): Promise<CommandReport> {
  const given = Object.entries(choice).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const found = TraceList.parse(await call("GET", `/api/traces?${new URLSearchParams(given)}`));
  if (asJson) return jsonReport(found);
  return { ok: true, lines: listed(found) };
}

function listed({ traces, nextCursor }: TraceList): string[] {
  const rows = traces.map((trace) => [...describe(trace), trace.agentId, trace.id, trace.title ?? ""]);
  const more = nextCursor === null ? [] : ["There are more: --limit takes up to 200, --until a time."];
  return rows.length === 0 ? ["No run is like that."] : [...inColumns(rows), ...more];
}

/** The runs that words mean ("failed runs of coder yesterday"), after a line that says what was understood. */
export async function findTraces(call: CallServer, text: string, asJson: boolean): Promise<CommandReport> {
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { filters, rest } = ParsedSearch.parse(await call("POST", "/api/traces/parse", { text, timezone }));
  const given = Object.entries(filters).map(([name, value]): [string, string] => [name, String(value)]);
  const search = new URLSearchParams(rest === "" ? given : [...given, ["q", rest]]);
  const found = TraceList.parse(await call("GET", `/api/traces?${search}`));
  if (asJson) return jsonReport(found);
  const meant = [...search].map(([name, value]) => `${name} ${value}`).join(", ");
  return { ok: true, lines: [`Runs with ${printable(meant)}:`, ...listed(found)] };
}

/** A run as one text in reading order, in Markdown. */
export async function readTrace(call: CallServer, id: string): Promise<CommandReport> {
  const text = String(await call("GET", `/api/traces/${encodeURIComponent(id)}/text`));
  return { ok: true, lines: text.trimEnd().split("\n").map(printable) };
}

/** Two runs step by step: = the same, ≠ different, A and B only in that run. */
export async function compareTraces(
  call: CallServer,
  [a, b]: readonly [string, string],
  asJson: boolean,
): Promise<CommandReport> {
  const found = ComparedRuns.parse(await call("GET", `/api/traces/compare?${new URLSearchParams({ a, b })}`));
  if (asJson) return jsonReport(found);
  const sides = [found.a, found.b].map((side, index) => {
    const { status, workedMs, tokens, costUsd, agentName, title, runId } = side;
    const cost = costUsd === null ? "-" : `$${costUsd.toFixed(4)}`;
    const facts = [status, seconds(workedMs), tokens === null ? "-" : `${tokens} tokens`, cost, agentName];
    return [index === 0 ? "A" : "B", ...facts, title ?? runId];
  });
  const message = found.message.same ? [] : ["≠ message"];
  const end = found.end.same ? [] : [`≠ end: ${found.end.a ?? "-"} / ${found.end.b ?? "-"}`].map(printable);
  return { ok: true, lines: [...inColumns(sides), "", ...message, ...found.steps.flatMap(describeStep), ...end] };
}

function describeStep(step: ComparedStep): string[] {
  const calls = step.calls.map((call) => `    ${describeCall(call)}`);
  return [`${stepSign(step)} step ${step.step}: ${stepText(step)}`, ...(step.same ? [] : calls)];
}

function describeCall({ tool, same, a, b }: ComparedCall): string {
  const gist = a?.gist ?? b?.gist ?? "";
  return printable(`${signOf(a !== null, b !== null, same)} ${tool}${gist === "" ? "" : `  ${gist}`}`);
}

/** A run's head and its steps, calls and subagents as a tree. `id` is a trace's or a run's. */
export async function showTrace(call: CallServer, id: string, asJson: boolean): Promise<CommandReport> {
  const trace = Trace.parse(await call("GET", `/api/traces/${encodeURIComponent(id)}`));
  if (asJson) return jsonReport(trace);
  const { title, agentName, ownerName, error, notice, droppedSpans } = trace;
  const head = [
    printable(title ?? trace.id),
    printable(`${describe(trace).join("  ")}  ${agentName}, for ${ownerName}`),
  ];
  const why = [error, notice].flatMap((text) => (text === null ? [] : [printable(text)]));
  const dropped = droppedSpans === 0 ? [] : [`${droppedSpans} entries were not recorded.`];
  return { ok: true, lines: [...head, ...why, "", ...treeOf(trace.spans), ...dropped] };
}

/** Everything that the trace's file has, which is written to `file`, or to standard output. */
export async function exportTrace(call: CallServer, id: string, file: string | undefined): Promise<CommandReport> {
  const exported = TraceExport.parse(await call("GET", `/api/traces/${encodeURIComponent(id)}/export`));
  if (file === undefined) return jsonReport(exported);
  writeFileSync(file, `${JSON.stringify(exported, null, 2)}\n`, { flag: "wx", mode: 0o600 });
  return { ok: true, lines: [`Wrote ${file}`] };
}

/** The trace as an HTML file that opens without a server. */
export async function bundleTrace(call: CallServer, id: string, file: string): Promise<CommandReport> {
  const page = String(await call("GET", `/api/traces/${encodeURIComponent(id)}/bundle`));
  writeFileSync(file, page, { flag: "wx", mode: 0o600 });
  return { ok: true, lines: [`Wrote ${file}`] };
}

function describe({ startedAt, status, durationMs, costUsd }: TraceSummary): string[] {
  const took = durationMs === null ? "-" : seconds(durationMs);
  return [startedAt.slice(0, 19).replace("T", " "), status, took, costUsd === null ? "-" : `$${costUsd.toFixed(4)}`];
}

/** Children below their parent, indented. A span whose parent is absent is a root. */
function treeOf(spans: readonly Span[]): string[] {
  const ids = new Set(spans.map(({ id }) => id));
  const children = Map.groupBy(spans, ({ parentId }) => (parentId !== null && ids.has(parentId) ? parentId : ""));
  const lines: string[] = [];
  const open = [...(children.get("") ?? [])].reverse().map((span) => ({ span, depth: 0 }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { span, depth } = next;
    lines.push(`${"  ".repeat(depth)}${describeSpan(span)}`);
    const below = [...(children.get(span.id) ?? [])].reverse();
    open.push(...below.map((child) => ({ span: child, depth: depth + 1 })));
  }
  return lines;
}

function describeSpan(span: Span): string {
  const { status, startedAtMs, endedAtMs } = span;
  const facts = summarizeSpan(span);
  const model = span.type === "llm" ? (facts.model ?? "") : "";
  const took = endedAtMs === null ? "open" : seconds(endedAtMs - startedAtMs);
  const state = status === "completed" ? "" : status;
  const parts = [`${spanKind(span)} ${spanLabel(span)}`, took, state, model, spanGist(span, facts)];
  return parts
    .map(printable)
    .filter((part) => part !== "")
    .join("  ");
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

/** The last column is as long as its texts. */
function inColumns(rows: readonly (readonly string[])[]): string[] {
  const shown = rows.map((row) => row.map(printable));
  const widths = (shown[0] ?? []).map((_, column) => Math.max(...shown.map((row) => row[column]?.length ?? 0)));
  return shown.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** On one line, without what a terminal would obey: titles and errors come from models and pages. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ");
}

function jsonReport(value: unknown): CommandReport {
  return { ok: true, lines: [JSON.stringify(value, null, 2)] };
}
