"use client";
import { Code } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { Diff } from "@/components/ui/code/diff";
import { Button } from "@/components/ui/controls/button";
import { Segments } from "@/components/ui/controls/segments";
import { ScrollArea } from "@/components/ui/scroll-area";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { countChanges, valueText } from "@/lib/client/agents/draft/change-labels";
import { type PromptRow, promptRows, sideBySide } from "@/lib/client/agents/draft/prompt-rows";
import type { AgentEditor } from "@/lib/client/agents/draft/use-agent-editor";
import { diffRows } from "@/lib/client/files/diff-rows";
import { classNames } from "@/lib/client/ui/class-names";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import { useKeptNumber } from "@/lib/client/ui/use-kept-state";
import type { ConfigChange } from "@/lib/schema/agents/agent-version";
import { HowTheyDid } from "./how-they-did";
import { type ComparedConfig, type Sides, sideName } from "./side";

export interface CompareViewProps {
  editor: AgentEditor;
  sides: Sides;
  changes: readonly ConfigChange[];
  /** Undefined while loading. */
  from: ComparedConfig | undefined;
  to: ComparedConfig | undefined;
}

/** Fields before and after, the prompt word by word, and both texts. */
export function CompareView({ editor, sides, changes, from, to }: CompareViewProps) {
  const names = { from: sideName(sides.from, editor), to: sideName(sides.to, editor) };
  const [isYaml, setYaml] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useShortcuts({ j: () => moveChange(box.current, 1), k: () => moveChange(box.current, -1) });
  const fields = changes.filter(({ path }) => path !== "system_prompt");
  const prompt = changes.find(({ path }) => path === "system_prompt");
  const same = Math.max(0, leaves(to?.config ?? {}) - changes.filter(({ after }) => after !== undefined).length);
  return (
    <div ref={box} className="pb-6">
      <header className="flex min-h-11 items-center gap-2 px-5 pt-2">
        <h2 className="text-sm font-medium">Fields</h2>
        <span className="text-xs text-muted">
          {changes.length === 0
            ? `${names.from} and ${names.to} are the same in all ${same} fields.`
            : `${same} more are the same`}
        </span>
        <span className="flex-1" />
        <Button variant="ghost" onPress={() => setYaml(!isYaml)} aria-expanded={isYaml}>
          <Code aria-hidden />
          {isYaml ? "Hide YAML" : "Show YAML"}
        </Button>
      </header>
      {isYaml && from && to ? (
        <div className="mx-5 mb-4 overflow-hidden rounded-lg border border-border">
          <Diff path={`${editor.agent.id}.yaml`} rows={diffRows(from.yaml, to.yaml)} />
        </div>
      ) : null}
      {fields.length > 0 ? <FieldTable changes={fields} names={names} /> : null}
      {prompt === undefined ? null : <PromptDiff change={prompt} />}
      <HowTheyDid agentId={editor.agent.id} sides={sides} names={names} />
    </div>
  );
}

/** Number of fields that a config sets; a list counts as one. */
function leaves(value: unknown): number {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return 1;
  return Object.values(value).reduce<number>((sum, below) => sum + leaves(below), 0);
}

/** Moves the focus to the next or previous difference. */
function moveChange(box: HTMLElement | null, step: 1 | -1): void {
  const changes = [...(box?.querySelectorAll<HTMLElement>("[data-change]") ?? [])];
  const here = changes.indexOf(document.activeElement as HTMLElement);
  const next = changes[here < 0 ? (step > 0 ? 0 : changes.length - 1) : here + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

interface Names {
  readonly from: string;
  readonly to: string;
}

function FieldTable({ changes, names }: { changes: readonly ConfigChange[]; names: Names }) {
  const columns = [
    { id: "field", label: "Field", className: "w-48" },
    { id: "before", label: names.from, className: "w-2/5" },
    { id: "after", label: names.to },
  ];
  return (
    <Table label="Fields that differ" className="table-fixed">
      <TableHead columns={columns} />
      <tbody>
        {changes.map(({ path, before, after }) => (
          <TableRow key={path}>
            <TableCell className="py-1.5 pl-5! align-top font-mono text-xs whitespace-normal! break-words">
              <span data-change tabIndex={-1} className="outline-offset-4">
                {path}
              </span>
            </TableCell>
            <TableCell className="py-1.5 align-top whitespace-normal!">
              <Value value={before} look="bg-diff-del" />
            </TableCell>
            <TableCell className="py-1.5 align-top whitespace-normal!">
              <Value value={after} look="bg-diff-add" />
            </TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}

function Value({ value, look }: { value: unknown; look: string }) {
  if (value === undefined) return <span className="font-mono text-xs text-subtle">not set</span>;
  return (
    <span className={classNames("rounded-xs px-1 py-0.5 font-mono text-xs break-words whitespace-pre-wrap", look)}>
      {valueText(value)}
    </span>
  );
}

function PromptDiff({ change }: { change: ConfigChange }) {
  const [isSplit, setSplit] = useKeptNumber("prompt-diff", 0);
  const before = typeof change.before === "string" ? change.before : "";
  const after = typeof change.after === "string" ? change.after : "";
  const rows = useMemo(() => promptRows(before, after), [before, after]);
  const { added, removed } = useMemo(() => countChanges(before, after), [before, after]);
  return (
    <>
      <header className="mt-3 flex min-h-11 items-center gap-2 px-5">
        <h2 className="text-sm font-medium">Prompt</h2>
        <span className="tnum text-xs text-muted">
          +{added} −{removed} words
        </span>
        <span className="flex-1" />
        <Segments
          label="View"
          options={VIEWS}
          value={isSplit === 1 ? "split" : "one"}
          onChange={(view) => setSplit(view === "split" ? 1 : 0)}
        />
      </header>
      <ScrollArea
        label="Changes in the prompt"
        className="mx-5 rounded-lg border border-border bg-code py-1.5 font-mono text-xs leading-[19px]"
      >
        {isSplit === 1 ? <Split rows={rows} /> : rows.map((row) => <PromptLine key={keyOf(row)} row={row} />)}
      </ScrollArea>
    </>
  );
}

const VIEWS = [
  { id: "one", name: "In one" },
  { id: "split", name: "Side by side" },
];

function keyOf({ kind, oldLine, newLine }: PromptRow): string {
  return `${kind}${oldLine ?? ""}:${newLine ?? ""}`;
}

const GROUND: Record<PromptRow["kind"], string> = { " ": "", "+": "bg-diff-add", "-": "bg-diff-del" };
const SIGN: Record<PromptRow["kind"], string> = { " ": "", "+": "text-ok-text", "-": "text-fail-text" };

function PromptLine({ row }: { row: PromptRow }) {
  return (
    <div
      className={classNames("flex", GROUND[row.kind])}
      {...(row.kind === " " ? {} : { "data-change": "", tabIndex: -1 })}
    >
      <LineNumber line={row.oldLine} />
      <LineNumber line={row.newLine} />
      <span className={classNames("w-4 shrink-0 select-none", SIGN[row.kind])}>
        {row.kind === "-" ? "−" : row.kind}
      </span>
      <LineText row={row} />
    </div>
  );
}

function LineNumber({ line }: { line: number | undefined }) {
  return <span className="tnum w-9 shrink-0 pr-2 text-right text-2xs text-subtle select-none">{line}</span>;
}

function LineText({ row }: { row: PromptRow }) {
  const mark = row.kind === "+" ? "bg-diff-add-mark" : "bg-diff-del-mark";
  return (
    <span className="min-h-[19px] min-w-0 flex-1 pr-3 break-words whitespace-pre-wrap">
      {row.parts.map(({ text, isMarked }, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one line have nothing but their place.
          key={index}
          className={isMarked ? classNames("rounded-xs", mark) : undefined}
        >
          {text}
        </span>
      ))}
    </span>
  );
}

function Split({ rows }: { rows: readonly PromptRow[] }) {
  return sideBySide(rows).map(([left, right]) => (
    <div key={`${left ? keyOf(left) : ""} ${right ? keyOf(right) : ""}`} className="grid grid-cols-2">
      <HalfLine row={left} line={left?.oldLine} />
      <HalfLine row={right} line={right?.newLine} />
    </div>
  ));
}

function HalfLine({ row, line }: { row: PromptRow | null; line: number | undefined }) {
  return (
    <div
      className={classNames("flex min-w-0", row !== null && GROUND[row.kind])}
      {...(row === null || row.kind === " " ? {} : { "data-change": "", tabIndex: -1 })}
    >
      <LineNumber line={line} />
      {row === null ? null : <LineText row={row} />}
    </div>
  );
}
