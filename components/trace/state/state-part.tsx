"use client";
import Link from "next/link";
import { useMemo } from "react";
import { TodoRing } from "@/components/chat/transcript/todo-ring";
import { CodeBlock } from "@/components/ui/code/code-block";
import { Diff } from "@/components/ui/code/diff";
import { diffRows } from "@/lib/client/files/diff-rows";
import type { ChangeKind, StatePart as Part, StateChanges } from "@/lib/client/trace/state/state-changes";
import { type StepStop, stopName } from "@/lib/client/trace/state/step-stops";
import { classNames } from "@/lib/client/ui/class-names";
import type { MissingPart, RunState } from "@/lib/schema/traces/run-state";
import { MissingNote } from "./missing-note";
import { PART_LABELS } from "./state-parts";

export interface StatePartProps {
  part: Exclude<Part, "files">;
  state: RunState;
  otherState: RunState | null;
  changes: StateChanges;
  stop: StepStop;
  other: StepStop | undefined;
}

const MISSING: Readonly<Record<StatePartProps["part"], MissingPart["part"]>> = {
  plan: "todos",
  memory: "memory",
  summary: "summary",
  prompt: "prompt",
  tools: "tools",
  rules: "rules",
};

/** One part of a state, with what differs from the compared step marked. */
export function StatePart(props: StatePartProps) {
  const { part, state, stop } = props;
  return (
    <section aria-label={PART_LABELS[part]} className="min-h-0 min-w-0 flex-1 overflow-auto">
      <h2 className="px-4 pt-3 pb-1 text-xs font-medium text-muted">
        {PART_LABELS[part]} at {stopName(stop)}
      </h2>
      <Body {...props} />
      <MissingNote state={state} part={MISSING[part]} />
    </section>
  );
}

function Body({ part, state, otherState, changes, stop, other }: StatePartProps) {
  switch (part) {
    case "plan":
      return state.todos === null ? null : (
        <Items
          none="There was no plan."
          items={changes.plan.map(({ item, change }) => ({
            key: item.id,
            change,
            content: (
              <>
                <TodoRing status={item.status} work="ended" />
                {item.title}
              </>
            ),
          }))}
        />
      );
    case "memory":
      return state.memory === null ? null : (
        <Items
          none="No document of memory had been written."
          items={changes.memory.map(({ item, change }) => ({
            key: item.path,
            change,
            content: (
              <>
                <span className="font-mono">{item.path}</span>
                <span className="text-muted">version {item.version}</span>
              </>
            ),
          }))}
        />
      );
    case "tools":
      return state.toolNames === null ? null : (
        <Items
          none="The model had no tools."
          items={changes.tools.map(({ item, change }) => ({
            key: item,
            change,
            content: <span className="font-mono">{item}</span>,
          }))}
        />
      );
    case "summary":
      return (
        <TextPart text={state.summary} before={otherState?.summary} path="summary.md" none="Nothing was summarised." />
      );
    case "prompt":
      return <PromptPart state={state} changes={changes} stop={stop} other={other} />;
    case "rules":
      return <RulesPart state={state} otherState={otherState} />;
  }
}

const EDGES: Readonly<Record<ChangeKind, string>> = {
  added: "new",
  changed: "changed",
  removed: "gone",
};

interface ItemsProps {
  none: string;
  items: readonly { readonly key: string; readonly change: ChangeKind | null; readonly content: React.ReactNode }[];
}

function Items({ none, items }: ItemsProps) {
  if (items.length === 0) return <p className="px-4 py-2 text-sm text-muted">{none}</p>;
  return (
    <ul className="py-1">
      {items.map(({ key, change, content }) => (
        <li
          key={key}
          className={classNames(
            "flex min-h-7 items-center gap-2 px-4 text-xs",
            change !== null && "shadow-[inset_3px_0_0_var(--link)]",
          )}
        >
          <span className={classNames("flex min-w-0 items-center gap-2", change === "removed" && "line-through")}>
            {content}
          </span>
          {change === null ? null : <span className="text-link">{EDGES[change]}</span>}
        </li>
      ))}
    </ul>
  );
}

interface TextPartProps {
  text: string | null;
  before: string | null | undefined;
  path: string;
  none: string;
}

/** A text, or how it differs where it does. */
function TextPart({ text, before, path, none }: TextPartProps) {
  const rows = useMemo(
    () => (before === undefined || before === text ? null : diffRows(before ?? "", text ?? "")),
    [before, text],
  );
  if (rows !== null) return <Diff rows={rows} path={path} />;
  if (text === null) return <p className="px-4 py-2 text-sm text-muted">{none}</p>;
  return <CodeBlock isBare wrap code={text} title={path} />;
}

/** The prompt's own text is shown where it was sent: in the model call. */
function PromptPart({ state, changes, stop, other }: Pick<StatePartProps, "state" | "changes" | "stop" | "other">) {
  if (state.promptHash === null) return null;
  return (
    <div className="space-y-2 px-4 py-2 text-sm">
      {other === undefined ? null : (
        <p>
          {changes.counts.prompt === 0
            ? `The same as at ${stopName(other)}.`
            : `It differs from that of ${stopName(other)}.`}
        </p>
      )}
      {stop.spanId === null ? null : (
        <p>
          <Link
            href={`?layout=waterfall&span=${encodeURIComponent(stop.spanId)}&tab=prompt`}
            className="text-link hover:underline"
          >
            Open the prompt of {stopName(stop)}
          </Link>
        </p>
      )}
    </div>
  );
}

function RulesPart({ state, otherState }: Pick<StatePartProps, "state" | "otherState">) {
  const grants = state.grants?.length ?? null;
  const before = otherState?.rules;
  return (
    <>
      {state.rules === null ? null : (
        <TextPart
          text={asText(state.rules)}
          before={before ? asText(before) : undefined}
          path="permissions.json"
          none=""
        />
      )}
      {grants === null ? null : (
        <p className="tnum px-4 py-2 text-xs text-muted">
          {grants === 1 ? "1 grant" : `${grants} grants`} in force
          {otherState?.grants && otherState.grants.length !== grants ? `, ${otherState.grants.length} before` : ""}.
        </p>
      )}
    </>
  );
}

function asText(rules: NonNullable<RunState["rules"]>): string {
  return JSON.stringify(rules, null, 2);
}
