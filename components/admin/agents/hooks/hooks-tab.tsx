"use client";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useMemo, useState } from "react";
import { AgentForm } from "@/components/admin/agents/form/agent-form";
import { usePageKeys } from "@/components/shell/shell-context";
import { Segments } from "@/components/ui/controls/segments";
import { Skeleton } from "@/components/ui/states/skeleton";
import { ErrorState } from "@/components/ui/states/state-block";
import type { AgentEditor } from "@/lib/client/agents/draft/use-agent-editor";
import { HOOKS } from "@/lib/client/agents/form/agent-tabs";
import { listHooks, moveEntry, switchHook, whyForbidden, writeHooks } from "@/lib/client/agents/hooks/hook-list";
import { availableHooksQuery, type KnownHook } from "@/lib/client/agents/hooks/hook-queries";
import { type HookRow, hookRows } from "@/lib/client/agents/hooks/hook-rows";
import { errorMessage } from "@/lib/client/http/api";
import { HookMatrix } from "./hook-matrix";
import { HookOnion } from "./hook-onion";
import { HookSettings } from "./hook-settings";
import { TryPanel } from "./try-panel";

const KEYS = [
  { keys: "Alt ↑ ↓", does: "Move the hook" },
  { keys: "Space", does: "Switch the hook" },
  { keys: "Enter", does: "Settings of the hook" },
  { keys: "T", does: "Try the hook" },
];

const PANELS = [
  { id: "onion", name: "Onion" },
  { id: "settings", name: "Settings" },
  { id: "try", name: "Try it out" },
];

/** The draft's hooks by phase, in running order; beside them the onion, the settings and a trial of one hook. */
export function HooksTab({ editor }: { editor: AgentEditor }) {
  const { data: known, error, refetch } = useQuery(availableHooksQuery);
  usePageKeys(KEYS);
  if (known === undefined) {
    return error === null ? (
      <Skeleton className="m-5 h-80" />
    ) : (
      <ErrorState title="The hooks can't be shown" onRetry={() => void refetch()}>
        {errorMessage(error)}
      </ErrorState>
    );
  }
  return <Loaded editor={editor} known={known} />;
}

function Loaded({ editor, known }: { editor: AgentEditor; known: readonly KnownHook[] }) {
  const { config, check, wait, setField } = editor;
  const [name, setName] = useState("tracing");
  const [panel, setPanel] = useState("onion");
  const [refusal, setRefusal] = useState("");
  const rows = useMemo(() => hookRows(config, known, check.problems), [config, known, check.problems]);
  const row = rows.find((one) => one.name === name) ?? rows[0];
  const entries = listHooks(config, known);
  const preview = (from: number, to: number) =>
    hookRows({ ...config, hooks: writeHooks(moveEntry(entries, from, to), known) ?? null }, known, []);
  const move = (from: number, to: number) => {
    if (to < 0 || to >= entries.length || from === to) return;
    const moved = moveEntry(entries, from, to);
    const why = whyForbidden(
      moved.map((entry) => entry.name),
      known,
    );
    setRefusal(why ?? "");
    if (why === null) setField(["hooks"], writeHooks(moved, known));
  };
  const change = (one: HookRow, isOn: boolean) => {
    setRefusal("");
    for (const [path, value] of switchHook(config, known, { name: one.name, isOn })) setField(path, value);
  };
  const open = (one: HookRow, id: string) => {
    setName(one.name);
    setPanel(id);
  };
  return (
    <div className="flex min-h-0 flex-1 max-lg:flex-col max-lg:overflow-y-auto">
      <section aria-label="Hooks" className="flex min-w-0 flex-1 flex-col border-r border-border max-lg:border-r-0">
        <div className="min-h-0 flex-1 overflow-y-auto max-lg:overflow-visible" inert={wait !== null}>
          <HookMatrix
            {...{ rows, preview }}
            selected={row?.name ?? ""}
            onSelect={setName}
            onMove={move}
            onSwitch={change}
            onOpen={open}
          />
          <div className="border-t border-border pt-3">
            <h2 className="px-5 text-sm font-medium">What every run does around them</h2>
            <AgentForm editor={editor} tab={HOOKS} active={null} onActive={() => {}} />
          </div>
        </div>
        <footer className="flex min-h-7 shrink-0 flex-wrap items-center gap-x-3 border-t border-border bg-background px-4 text-2xs text-muted">
          <span role="status" className="text-limit-text empty:hidden">
            {wait === null
              ? refusal
              : `The matrix waits: ${wait.line === null ? "" : `line ${wait.line}, `}${wait.message}`}
          </span>
          <span>Drag a row, or Alt ↑ ↓</span>
          <span>A filled number is the place in its phase, an outlined one a ring</span>
          <ExtensionNote rows={rows} />
        </footer>
      </section>
      <section aria-label="Hook" className="flex w-[380px] shrink-0 flex-col bg-background max-lg:w-auto">
        <div className="border-b border-border px-4 py-2">
          <Segments label="Panel" options={PANELS} value={panel} onChange={setPanel} />
        </div>
        <div className="min-h-0 flex-1 overflow-y-auto">
          {row === undefined ? null : panel === "onion" ? (
            <HookOnion rows={rows} selected={row.name} />
          ) : panel === "settings" ? (
            <HookSettings key={row.name} row={row} editor={editor} known={known} />
          ) : (
            <TryPanel key={row.name} row={row} editor={editor} />
          )}
        </div>
      </section>
    </div>
  );
}

function ExtensionNote({ rows }: { rows: readonly HookRow[] }) {
  const own = rows.filter(({ known, state }) => known === null || (known.extension !== null && state !== "off"));
  const failed = own.filter(({ state }) => state === "failed").length;
  if (own.length === 0) return null;
  const count = own.length === 1 ? "1 extension" : `${own.length} extensions`;
  return (
    <Link href="/admin/tools?tab=extensions" className="ml-auto text-link hover:underline touch-target">
      {failed === 0 ? count : `${count}, ${failed} with an error`}
    </Link>
  );
}
