import { fold } from "@/lib/schema/fold";
import { failureText } from "@/lib/schema/runs/failure-text";
import type { RunStatus } from "@/lib/schema/runs/run";
import type { Span, SpanStatus } from "@/lib/schema/traces/span";
import { type SpanKind, spanCount, spanGist, spanKind, spanLabel, summarizeSpan } from "./span-summary";
import { isWait } from "./span-wait";

/** A row of the trace: a span, or a step that groups the spans of one model call and its tools (`span` is null). */
export interface SpanNode {
  readonly id: string;
  readonly parentId: string | null;
  readonly span: Span | null;
  readonly kind: SpanKind;
  readonly label: string;
  readonly status: SpanStatus;
  /** Time spent asking a person. */
  readonly isWait: boolean;
  readonly step: number | null;
  readonly startMs: number;
  /** Null while it runs. */
  readonly endMs: number | null;
  readonly firstTokenMs: number | null;
  /** For a group: the sum of its model calls. Null if no call reports any. */
  readonly tokens: number | null;
  readonly costUsd: number | null;
  /** The ended model calls in it that are missing from the sum, because their usage is unknown. */
  readonly unknownTokens: number;
  readonly unknownCosts: number;
  /** Failed spans in it and below. */
  readonly errors: number;
  /** Its error is that of the call that failed, which has a row of its own. */
  readonly isErrorElsewhere: boolean;
  /** The run failed here. Its error is in its detail, which opens by itself. */
  readonly isCause: boolean;
  readonly children: readonly SpanNode[];
}

/** A visible row. */
export interface SpanRow {
  readonly node: SpanNode;
  readonly depth: number;
  readonly open: boolean;
}

type Draft = Omit<SpanNode, "children" | "errors" | "isErrorElsewhere" | "isCause">;

/**
 * The tree of a trace. Spans whose parent has not arrived (yet) are put under the root rather than dropped. Siblings
 * are ordered by start; those with a step number are grouped under "step n".
 */
export function buildSpanTree(spans: readonly Span[]): readonly SpanNode[] {
  const known = new Set(spans.map((span) => span.id));
  const root = spans.find((span) => span.parentId === null && span.type === "agent");
  const childrenOf = new Map<string | null, Span[]>();
  for (const span of spans) {
    const parent = parentOf(span, known, root);
    const siblings = childrenOf.get(parent);
    if (siblings) siblings.push(span);
    else childrenOf.set(parent, [span]);
  }
  const tree = nodesUnder(null, childrenOf, null);
  const cause = findCause(tree);
  if (cause) Object.assign(cause, { isCause: true });
  return tree;
}

function parentOf(span: Span, known: ReadonlySet<string>, root: Span | undefined): string | null {
  if (span.parentId !== null && known.has(span.parentId) && span.parentId !== span.id) return span.parentId;
  return root && root.id !== span.id ? root.id : null;
}

function nodesUnder(
  parentId: string | null,
  childrenOf: ReadonlyMap<string | null, Span[]>,
  parent: Span | null,
): SpanNode[] {
  const siblings = [...(childrenOf.get(parentId) ?? [])].sort(byStart);
  const nodes: SpanNode[] = [];
  const steps = new Map<number, SpanNode[]>();
  for (const span of siblings) {
    const node = complete(draft(span), nodesUnder(span.id, childrenOf, span), parent);
    if (node.step === null || node.kind === "agent" || parentId === null) {
      nodes.push(node);
      continue;
    }
    const group = steps.get(node.step);
    if (group) group.push(node);
    else steps.set(node.step, [node]);
  }
  for (const [step, members] of steps) nodes.push(stepNode(step, parentId, members));
  return nodes.sort((left, right) => left.startMs - right.startMs);
}

/** A run that waits for a person has left its own span open, so that span waits too. */
export function withWaitingRoot(spans: readonly Span[], runStatus: RunStatus): readonly Span[] {
  if (runStatus !== "waiting") return spans;
  return spans.map((span) =>
    span.parentId === null && span.status === "running" ? { ...span, status: runStatus } : span,
  );
}

function byStart(left: Span, right: Span): number {
  return left.startedAtMs - right.startedAtMs || (left.id < right.id ? -1 : 1);
}

/** Reads only what every row needs for sums or placement: the rest (`summarizeSpan`) is read for visible rows. */
function draft(span: Span): Draft {
  const counts = span.type !== "agent";
  const firstTokenMs = spanCount(span, "time_to_first_token_ms");
  return {
    id: span.id,
    parentId: span.parentId,
    span,
    kind: spanKind(span),
    label: spanLabel(span),
    status: span.status,
    isWait: isWait(span),
    step: spanCount(span, "step"),
    startMs: span.startedAtMs,
    endMs: span.endedAtMs,
    firstTokenMs: firstTokenMs === null ? null : span.startedAtMs + firstTokenMs,
    tokens: counts ? sum(spanCount(span, "input_tokens"), spanCount(span, "output_tokens")) : null,
    costUsd: counts ? spanCount(span, "cost_usd") : null,
    ...unknownOf(span),
  };
}

/** A failed attempt is part of its call, and a call that goes on may still tell. */
function unknownOf(span: Span): Pick<SpanNode, "unknownTokens" | "unknownCosts"> {
  const isModelCall = span.name !== "llm.attempt" && (span.type === "llm" || "input_tokens" in span.attributes);
  if (!isModelCall || span.type === "agent" || span.endedAtMs === null) return { unknownTokens: 0, unknownCosts: 0 };
  const isUnknown = (name: string) => (spanCount(span, name) === null ? 1 : 0);
  return { unknownTokens: isUnknown("input_tokens"), unknownCosts: isUnknown("cost_usd") };
}

/** One line about a row; "" for a step, and for an error that another row tells. */
export function nodeGist({ span, isErrorElsewhere, isCause }: SpanNode): string {
  if (span === null || isErrorElsewhere) return "";
  return spanGist(isCause ? { ...span, error: null } : span, summarizeSpan(span));
}

/** The span that made a run fail; undefined if it did not fail. */
export function failureIn(tree: readonly SpanNode[]): SpanNode | undefined {
  for (const node of allNodes(tree)) if (node.isCause) return node;
  return undefined;
}

function findCause(tree: readonly SpanNode[]): SpanNode | undefined {
  const [root] = tree;
  if (root?.status !== "failed" || root.span === null) return undefined;
  const failed = [...allNodes(tree)].filter((node) => node.status === "failed" && !node.isErrorElsewhere);
  return failed.findLast((node) => saysSame(node.span, root.span)) ?? failed.at(-1);
}

function stepNode(step: number, parentId: string | null, members: readonly SpanNode[]): SpanNode {
  const ends = members.map((member) => member.endMs);
  const open = ends.includes(null);
  const base: Draft = {
    id: `step:${parentId}:${step}`,
    parentId,
    span: null,
    kind: "run",
    label: `step ${step}`,
    status: open ? openStatus(members) : "completed",
    isWait: false,
    step,
    startMs: Math.min(...members.map((member) => member.startMs)),
    endMs: open ? null : Math.max(...ends.map((end) => end ?? 0)),
    firstTokenMs: null,
    tokens: null,
    costUsd: null,
    unknownTokens: 0,
    unknownCosts: 0,
  };
  return complete(base, members, null);
}

/** A step waits if everything in it that is still open waits for a person. */
function openStatus(members: readonly SpanNode[]): SpanStatus {
  return members.every(({ endMs, isWait: waits }) => endMs !== null || waits) ? "waiting" : "running";
}

function complete(base: Draft, children: readonly SpanNode[], parent: Span | null): SpanNode {
  let { tokens, costUsd, unknownTokens, unknownCosts } = base;
  let errors = 0;
  for (const child of children) {
    tokens = sum(tokens, child.tokens);
    costUsd = sum(costUsd, child.costUsd);
    unknownTokens += child.unknownTokens;
    unknownCosts += child.unknownCosts;
    errors += child.errors;
  }
  if (isOwnFailure(base, errors)) errors += 1;
  const isErrorElsewhere = base.status === "failed" && isToldElsewhere(base, children, parent);
  const sums = { tokens, costUsd, unknownTokens, unknownCosts, errors };
  return Object.assign(base, { ...sums, children, isErrorElsewhere, isCause: false });
}

/** A run's error is told by the call in it that failed, and an attempt's by its call. */
function isToldElsewhere({ span }: Draft, children: readonly SpanNode[], parent: Span | null): boolean {
  if (span?.type === "agent") return [...allNodes(children)].some((node) => saysSame(node.span, span));
  return span?.name === "llm.attempt" && beginsAs(span, parent);
}

function saysSame(one: Span | null, other: Span | null): boolean {
  if (one === null || other === null || one.error === null || other.error === null) return false;
  return failureText(one.error) === failureText(other.error);
}

/** What was tried next may follow. */
function beginsAs(one: Span, other: Span | null): boolean {
  const begins = other?.error ?? "";
  return begins !== "" && failureText(one.error ?? "").startsWith(failureText(begins));
}

/** A run that failed because of a span inside it is not a second error. */
function isOwnFailure(node: Pick<SpanNode, "status" | "span">, errorsInside: number): boolean {
  return node.status === "failed" && (errorsInside === 0 || node.span?.type !== "agent");
}

function sum(left: number | null, right: number | null): number | null {
  if (left === null) return right;
  return right === null ? left : left + right;
}

export interface RowOptions {
  readonly collapsed: ReadonlySet<string>;
  /** Empty: everything. Otherwise matching rows and their ancestors, all expanded. */
  readonly search: string;
}

/** The visible rows, top to bottom. */
export function visibleRows(tree: readonly SpanNode[], { collapsed, search }: RowOptions): SpanRow[] {
  const wanted = fold(search.trim());
  const kept = wanted === "" ? null : matchingNodes(tree, wanted);
  const rows: SpanRow[] = [];
  const walk = (nodes: readonly SpanNode[], depth: number) => {
    for (const node of nodes) {
      if (kept && !kept.has(node.id)) continue;
      const open = kept !== null || !collapsed.has(node.id);
      rows.push({ node, depth, open });
      if (open) walk(node.children, depth + 1);
    }
  };
  walk(tree, 0);
  return rows;
}

function matchingNodes(tree: readonly SpanNode[], wanted: string): ReadonlySet<string> {
  const kept = new Set<string>();
  const visit = (node: SpanNode): boolean => {
    let matches = matchesText(node, wanted);
    for (const child of node.children) matches = visit(child) || matches;
    if (matches) kept.add(node.id);
    return matches;
  };
  for (const node of tree) visit(node);
  return kept;
}

function matchesText(node: SpanNode, wanted: string): boolean {
  const error = node.span?.error ?? "";
  return [node.label, nodeGist(node), node.status, node.isErrorElsewhere ? "" : error].some((text) =>
    fold(text).includes(wanted),
  );
}

/** Every node of the tree, parents first. */
export function* allNodes(tree: readonly SpanNode[]): Generator<SpanNode> {
  for (const node of tree) {
    yield node;
    yield* allNodes(node.children);
  }
}

export function findNode(tree: readonly SpanNode[], id: string): SpanNode | undefined {
  for (const node of allNodes(tree)) if (node.id === id) return node;
  return undefined;
}

/** Ids of a node's ancestors, outermost first: what has to be expanded to make it visible. */
export function ancestorsOf(tree: readonly SpanNode[], id: string): string[] {
  const path: string[] = [];
  const find = (nodes: readonly SpanNode[]): boolean =>
    nodes.some((node) => {
      if (node.id === id) return true;
      path.push(node.id);
      if (find(node.children)) return true;
      path.pop();
      return false;
    });
  return find(tree) ? path : [];
}

/** The next failed span after `id` in reading order, wrapping around at the end; null if there is none. */
export function nextError(tree: readonly SpanNode[], id: string | null): SpanNode | null {
  const errorsInside = ({ children }: SpanNode) => children.reduce((total, child) => total + child.errors, 0);
  return nextNode(tree, id, (node) => isOwnFailure(node, errorsInside(node)));
}

/** The same for time spent asking a person. */
export function nextWait(tree: readonly SpanNode[], id: string | null): SpanNode | null {
  return nextNode(tree, id, ({ isWait: waits }) => waits);
}

function nextNode(
  tree: readonly SpanNode[],
  id: string | null,
  isWanted: (node: SpanNode) => boolean,
): SpanNode | null {
  let first: SpanNode | null = null;
  let passed = id === null;
  for (const node of allNodes(tree)) {
    if (node.id !== id && isWanted(node)) {
      if (passed) return node;
      first ??= node;
    }
    if (node.id === id) passed = true;
  }
  return first ?? onlyItself(tree, id, isWanted);
}

function onlyItself(tree: readonly SpanNode[], id: string | null, isWanted: (node: SpanNode) => boolean) {
  const node = id === null ? undefined : findNode(tree, id);
  return node && isWanted(node) ? node : null;
}
