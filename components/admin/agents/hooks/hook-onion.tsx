"use client";
import { type ReactNode, useState } from "react";
import { Segments } from "@/components/ui/controls/segments";
import type { HookRow } from "@/lib/client/agents/hooks/hook-rows";
import { classNames } from "@/lib/client/ui/class-names";

const CORES = [
  { id: "wrap_model_call", name: "Model call" },
  { id: "wrap_tool_call", name: "Tool call" },
] as const;
type Core = (typeof CORES)[number]["id"];

/**
 * The rings around a call, the first hook outermost; above them what runs once, between them what changes the request.
 */
export function HookOnion({ rows, selected }: { rows: readonly HookRow[]; selected: string }) {
  const [core, setCore] = useState<Core>("wrap_model_call");
  const on = rows.filter(({ state }) => state === "on");
  const names = (column: HookRow["columns"][number]) =>
    on.filter(({ columns }) => columns.includes(column)).map(({ name }) => name);
  const rings = names(core);
  const label = core === "wrap_model_call" ? "the model" : "the tool";
  const drawn = rings.reduceRight<ReactNode>(
    (inside, name) => (
      <div
        key={name}
        className={classNames(
          "rounded-2xl border-[1.5px] px-2.5 pt-1 pb-2.5",
          name === selected ? "border-foreground bg-selection" : "border-border-strong",
        )}
      >
        <p className="pb-1.5 text-center font-mono text-2xs">{name}</p>
        {inside}
      </div>
    ),
    <p className="rounded-xl bg-default py-4 text-center text-sm font-medium">{label}</p>,
  );
  return (
    <div className="space-y-3 p-4">
      <Segments
        label="Rings around"
        isFull
        options={CORES}
        value={core}
        onChange={(id) => setCore(id === "wrap_tool_call" ? id : "wrap_model_call")}
      />
      <Line title="Once, first" names={names("before_agent")} />
      {core === "wrap_model_call" ? <Line title="Each request" names={names("modify_request")} /> : null}
      {drawn}
      <Line title="Once, last" names={names("after_agent")} />
      <p className="text-xs text-muted">
        A call goes through the rings from the outside to the inside, its result the other way round.
      </p>
    </div>
  );
}

function Line({ title, names }: { title: string; names: readonly string[] }) {
  return (
    <p className="text-xs text-muted">
      {title}: {names.length === 0 ? "nothing" : <span className="font-mono text-foreground">{names.join(" → ")}</span>}
    </p>
  );
}
