import { escapeHtml } from "@/lib/schema/escape-html";
import { formatDuration } from "@/lib/schema/format-duration";
import type { Span } from "@/lib/schema/traces/span";
import { idleGaps, timeScale } from "@/lib/schema/traces/time-scale";
import type { Trace } from "@/lib/schema/traces/trace";

/** More spans make a file that no browser opens at once. */
const MOST_SPANS = 20_000;

interface Node {
  readonly span: Span;
  readonly children: Node[];
}

/** The spans, each below the one that it ran in. */
export function treePart({ spans }: Trace): string {
  return `<ul>${nodesOf(spans).map(treeItem).join("")}</ul>${leftOut(spans)}`;
}

function treeItem({ span, children }: Node): string {
  const line = `${nameOf(span)} <span class="muted">${timeOf(span)}</span>${errorOf(span)}`;
  if (children.length === 0) return `<li>${line}</li>`;
  return `<li><details open><summary>${line}</summary><ul>${children.map(treeItem).join("")}</ul></details></li>`;
}

/** The spans by their times; long stretches in which nothing ran are narrow. */
export function waterfallPart({ spans, startedAt, durationMs }: Trace): string {
  const startMs = Math.min(Date.parse(startedAt), ...spans.slice(0, 1).map((span) => span.startedAtMs));
  const ends = spans.map(({ startedAtMs, endedAtMs }) => endedAtMs ?? startedAtMs);
  const endMs = ends.reduce((latest, at) => Math.max(latest, at), startMs + (durationMs ?? 0));
  const parents = new Set(spans.map(({ parentId }) => parentId));
  const busy = spans
    .filter(({ id, status }) => !parents.has(id) && status !== "waiting")
    .map(({ startedAtMs, endedAtMs }) => ({ fromMs: startedAtMs, toMs: endedAtMs ?? endMs }));
  const at = timeScale(startMs, endMs, idleGaps(busy, startMs, endMs));
  const rows = flat(nodesOf(spans)).map(({ span, depth }) => {
    const from = at(span.startedAtMs);
    const width = Math.max(0.2, at(span.endedAtMs ?? endMs) - from);
    const bar = `<svg aria-hidden="true"><rect class="bar bar-${span.type} bar-${span.status}" x="${from.toFixed(3)}%" width="${width.toFixed(3)}%" y="2" height="8"/></svg>`;
    return `<tr><td>${"&emsp;".repeat(Math.min(depth, 12))}${nameOf(span)}</td><td>${bar}</td><td>${timeOf(span)}</td></tr>`;
  });
  return `<table>${rows.join("")}</table>${leftOut(spans)}`;
}

/** A span whose parent is absent is a root. */
function nodesOf(spans: readonly Span[]): Node[] {
  const nodes = new Map(spans.slice(0, MOST_SPANS).map((span): [string, Node] => [span.id, { span, children: [] }]));
  const roots: Node[] = [];
  for (const node of nodes.values()) {
    const parent = node.span.parentId === null ? undefined : nodes.get(node.span.parentId);
    (parent?.children ?? roots).push(node);
  }
  return roots;
}

function flat(roots: readonly Node[]): { readonly span: Span; readonly depth: number }[] {
  const rows: { readonly span: Span; readonly depth: number }[] = [];
  const open = roots.toReversed().map((node) => ({ node, depth: 0 }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    rows.push({ span: node.span, depth });
    for (const child of node.children.toReversed()) open.push({ node: child, depth: depth + 1 });
  }
  return rows;
}

function nameOf({ type, name, attributes: { tool_name: tool, model } }: Span): string {
  if (type === "tool" && typeof tool === "string") return escapeHtml(tool);
  return escapeHtml(type === "llm" && typeof model === "string" ? `${name} ${model}` : name);
}

function timeOf({ startedAtMs, endedAtMs, status }: Span): string {
  const took = endedAtMs === null ? "open" : formatDuration(endedAtMs - startedAtMs);
  return status === "completed" ? took : `${status}, ${took}`;
}

function errorOf({ error }: Span): string {
  return error === null ? "" : ` <span class="fail">${escapeHtml(error)}</span>`;
}

function leftOut({ length }: readonly Span[]): string {
  const more = length - MOST_SPANS;
  return more > 0 ? `<p class="muted">${more.toLocaleString("en")} more spans are not shown.</p>` : "";
}
