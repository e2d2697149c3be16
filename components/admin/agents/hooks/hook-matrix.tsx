"use client";
import { CircleX, GripVertical, Settings2 } from "lucide-react";
import { type HTMLAttributes, type KeyboardEvent, type RefObject, useRef, useState } from "react";
import { IconButton } from "@/components/ui/controls/icon-button";
import { Switch } from "@/components/ui/controls/switch";
import { Tag } from "@/components/ui/tag";
import { COLUMNS, type Column } from "@/lib/client/agents/hooks/hook-list";
import type { HookRow } from "@/lib/client/agents/hooks/hook-rows";
import { classNames } from "@/lib/client/ui/class-names";

const WHEN: Readonly<Record<Column, string>> = {
  before_agent: "once, first",
  modify_request: "each model call",
  wrap_model_call: "ring",
  wrap_tool_call: "ring",
  after_agent: "once, last",
};

/** A phone has no room for the phases; the onion shows them. */
const TABLE = "w-full table-fixed border-collapse text-sm sm:min-w-[800px]";

export interface HookMatrixProps {
  rows: readonly HookRow[];
  /** The rows as they would be after a move. */
  preview: (from: number, to: number) => readonly HookRow[];
  selected: string;
  onSelect: (name: string) => void;
  onMove: (from: number, to: number) => void;
  onSwitch: (row: HookRow, isOn: boolean) => void;
  onOpen: (row: HookRow, panel: "settings" | "try") => void;
}

interface Drag {
  readonly from: number;
  readonly to: number;
}

/** Hook by phase, in running order. Rows handle the page's keys; the handle is for a pointer. */
export function HookMatrix({ rows, preview, selected, onSelect, onMove, onSwitch, onOpen }: HookMatrixProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const { drag, handle } = useDrag(body, rows, onMove);
  const shown = drag === null ? null : preview(drag.from, drag.to);
  const focusRow = (index: number) => {
    const next = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (next === undefined) return;
    onSelect(next.name);
    body.current?.querySelector<HTMLElement>(`[data-hook="${CSS.escape(next.name)}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent, row: HookRow, index: number) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey) return;
    const step = STEPS[event.key];
    const action = step === undefined ? actionOf(event.key, row, { onSwitch, onOpen }) : null;
    if (step !== undefined && !event.altKey) focusRow(index + step);
    else if (step !== undefined && row.place !== null) onMove(row.place, row.place + step);
    else if (action === null) return;
    action?.();
    event.preventDefault();
  };
  return (
    <div className="overflow-x-auto">
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows take the focus and keys, as those of a grid do. */}
      <table role="grid" aria-label="Hooks by phase" className={TABLE}>
        <thead>
          <tr className="border-b border-border text-2xs text-muted">
            <th scope="col" className="px-4 py-2 text-left text-xs font-normal">
              Hook
            </th>
            {COLUMNS.map((column) => (
              <th key={column} scope="col" className="w-[101px] px-0.5 py-2 font-normal tracking-tight max-sm:hidden">
                <span className="block font-mono text-foreground">{column}</span>
                {WHEN[column]}
              </th>
            ))}
            <th scope="col" className="w-[92px] px-2 text-xs font-normal">
              On
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row, index) => (
            <tr
              key={row.name}
              data-hook={row.name}
              tabIndex={row.name === selected ? 0 : -1}
              aria-selected={row.name === selected}
              aria-label={rowText(row)}
              onFocus={() => onSelect(row.name)}
              onClick={() => onSelect(row.name)}
              onKeyDown={(event) => onKeyDown(event, row, index)}
              className={classNames(
                "h-[42px] border-b border-separator outline-none focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-focus aria-selected:bg-selection",
                lineOf(drag, row.place),
              )}
            >
              <th scope="row" className="pr-1 pl-3 text-left font-normal">
                <HookName row={row} number={placeOf(row, shown)} handle={row.place === null ? {} : handle(row.place)} />
              </th>
              {COLUMNS.map((column) => (
                <td key={column} className="text-center max-sm:hidden">
                  <Place row={shown?.find(({ name }) => name === row.name) ?? row} column={column} />
                </td>
              ))}
              <td className="px-2">
                <span className="flex items-center justify-center gap-2">
                  <HookSwitch row={row} onSwitch={onSwitch} />
                  <IconButton label={`Settings of ${row.name}`} size="xs" onPress={() => onOpen(row, "settings")}>
                    <Settings2 aria-hidden />
                  </IconButton>
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };

/** A key's action on a row; null for a key without a meaning here. */
function actionOf(
  key: string,
  row: HookRow,
  { onSwitch, onOpen }: Pick<HookMatrixProps, "onSwitch" | "onOpen">,
): (() => void) | null {
  if (key === " ") return () => (canSwitch(row) ? onSwitch(row, row.state !== "on") : undefined);
  if (key === "Enter") return () => onOpen(row, "settings");
  return key.toLowerCase() === "t" ? () => onOpen(row, "try") : null;
}

/** The dragged row and where it would land; `handle` has its handle's pointer events. */
function useDrag(
  body: RefObject<HTMLTableSectionElement | null>,
  rows: readonly HookRow[],
  onMove: HookMatrixProps["onMove"],
) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const placeAt = (y: number) => {
    const listed = [...(body.current?.rows ?? [])].slice(0, rows.filter(({ place }) => place !== null).length);
    const below = listed.findIndex((row) => y < row.getBoundingClientRect().top + row.offsetHeight / 2);
    return below < 0 ? listed.length : below;
  };
  const handle = (place: number): HTMLAttributes<HTMLElement> => ({
    onPointerDown: (event) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrag({ from: place, to: place });
    },
    onPointerMove: (event) => {
      if (drag === null) return;
      const gap = placeAt(event.clientY);
      setDrag({ from: drag.from, to: gap > drag.from ? gap - 1 : gap });
    },
    onPointerUp: () => {
      if (drag !== null) onMove(drag.from, drag.to);
      setDrag(null);
    },
    onPointerCancel: () => setDrag(null),
  });
  return { drag, handle };
}

interface HookNameProps {
  row: HookRow;
  number: number | null;
  /** The handle's pointer events. */
  handle: HTMLAttributes<HTMLElement>;
}

function HookName({ row, number, handle }: HookNameProps) {
  const isExtension = row.known === null || row.known.extension !== null;
  return (
    <span className="flex items-center gap-1.5">
      {row.place === null || row.isFixed ? (
        <span className="w-4 shrink-0" />
      ) : (
        <span
          {...handle}
          title={`Drag ${row.name}`}
          className="w-4 shrink-0 cursor-grab touch-none text-muted active:cursor-grabbing"
        >
          <GripVertical aria-hidden className="size-3.5" />
        </span>
      )}
      <span className="tnum w-4 shrink-0 text-right text-xs text-muted">{number}</span>
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-1.5 text-xs">
          <span className="truncate font-mono" title={row.name}>
            {row.name}
          </span>
          {isExtension ? <Tag className="h-4! px-1! text-2xs">extension</Tag> : null}
        </span>
        <span
          title={row.words}
          className={classNames("block truncate text-xs", row.state === "failed" ? "text-fail-text" : "text-muted")}
        >
          {row.words}
        </span>
      </span>
    </span>
  );
}

function HookSwitch({ row, onSwitch }: { row: HookRow; onSwitch: HookMatrixProps["onSwitch"] }) {
  if (row.isFixed && row.state === "on") return <span className="text-xs text-muted">always</span>;
  if (row.state === "failed") {
    return <CircleX role="img" aria-label="has an error" className="size-4 text-fail-text" />;
  }
  return (
    <Switch
      label={`${row.name} on`}
      isOn={row.state === "on"}
      isDisabled={!canSwitch(row)}
      onChange={(isOn) => onSwitch(row, isOn)}
    />
  );
}

function canSwitch({ isFixed, isBlocked, state, known }: HookRow): boolean {
  return !isFixed && !isBlocked && state !== "failed" && known !== null;
}

function rowText(row: HookRow): string {
  const state = row.state === "failed" ? "has an error" : row.isFixed ? "always on" : row.state;
  return `${row.name}, ${state}${row.place === null ? ", not in the list" : `, place ${row.place + 1}`}`;
}

function placeOf(row: HookRow, shown: readonly HookRow[] | null): number | null {
  const place = (shown?.find(({ name }) => name === row.name) ?? row).place;
  return place === null ? null : place + 1;
}

/** The line where a dragged row would land. */
function lineOf(drag: Drag | null, place: number | null): string | undefined {
  if (drag === null || place !== drag.to || drag.from === drag.to) return undefined;
  return drag.to > drag.from ? "border-b-2 border-b-foreground" : "border-t-2 border-t-foreground";
}

function Place({ row, column }: { row: HookRow; column: Column }) {
  const isRing = column.startsWith("wrap_");
  const number = row.numbers[column];
  const base = "inline-flex size-5 align-middle items-center justify-center rounded-full text-2xs tnum";
  if (number !== undefined) {
    return (
      <span className={classNames(base, isRing ? "border-[1.5px] border-foreground" : "bg-default font-medium")}>
        {number}
      </span>
    );
  }
  if (row.columns.includes(column)) {
    return (
      <span role="img" aria-label="off" className={classNames(base, "border border-dashed border-border-strong")} />
    );
  }
  return <span aria-hidden className="inline-block size-[3px] rounded-full bg-border-strong" />;
}
