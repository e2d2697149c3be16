"use client";
import { GripVertical, Plus, X } from "lucide-react";
import { useId, useRef, useState } from "react";
import { IconButton } from "@/components/ui/controls/icon-button";
import { isSame } from "@/lib/client/agents/config-text/config-values";
import { classNames } from "@/lib/client/ui/class-names";
import { itemsOf, type ModelControlProps, modelWord, orUnset } from "./list-controls";

/** Models in the order in which they are tried; moved by dragging a row, or with Alt and an arrow. */
export function ModelsControl({ id, value, onChange, aria, models, before }: ModelControlProps & { before: unknown }) {
  const items = itemsOf(value);
  const live = itemsOf(before);
  const [text, setText] = useState("");
  const listId = useId();
  const dragged = useRef<number | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const move = (from: number, to: number) => {
    if (from === to || to < 0 || to >= items.length) return;
    onChange(items.toSpliced(from, 1).toSpliced(to, 0, items[from]));
    requestAnimationFrame(() => list.current?.querySelectorAll<HTMLElement>("[data-handle]")[to]?.focus());
  };
  const add = () => {
    setText("");
    if (text.trim() !== "") onChange([...items, text.trim()]);
  };
  return (
    <ul
      ref={list}
      className="overflow-hidden rounded-lg border border-border bg-surface focus-within:border-focus focus-within:ring-1 focus-within:ring-focus"
    >
      {items.map((item, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: a model may be there twice.
          key={`${modelWord(item)} ${index}`}
          draggable
          onDragStart={() => {
            dragged.current = index;
          }}
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault();
            if (dragged.current !== null) move(dragged.current, index);
            dragged.current = null;
          }}
          className={classNames(
            "relative flex min-h-9 items-center gap-2 border-b border-separator pr-1 pl-1.5",
            !live.some((other) => isSame(other, item)) &&
              "before:absolute before:inset-y-0 before:left-0 before:w-[3px] before:bg-ok",
          )}
        >
          <Handle label={modelWord(item)} onMove={(step) => move(index, index + step)} />
          <span className="tnum text-xs text-subtle">{index + 1}</span>
          <span className="min-w-0 flex-1 truncate font-mono text-xs">{modelWord(item)}</span>
          <IconButton
            label={`Remove ${modelWord(item)}`}
            size="xs"
            onPress={() => onChange(orUnset(items.toSpliced(index, 1)))}
          >
            <X />
          </IconButton>
        </li>
      ))}
      <li className="flex min-h-9 items-center gap-2 pr-1 pl-2.5 text-muted">
        <Plus className="size-3.5 shrink-0 text-subtle" aria-hidden />
        <input
          id={id}
          {...aria}
          list={listId}
          value={text}
          placeholder="Add a model"
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            add();
          }}
          onBlur={add}
          className="h-8 min-w-0 flex-1 bg-transparent text-sm outline-none touch-row"
        />
        <datalist id={listId}>
          {models.map((model) => (
            <option key={model} value={model} />
          ))}
        </datalist>
      </li>
    </ul>
  );
}

function Handle({ label, onMove }: { label: string; onMove: (step: 1 | -1) => void }) {
  return (
    <button
      type="button"
      data-handle
      aria-label={`Move ${label}: Alt with an arrow`}
      onKeyDown={(event) => {
        if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
        event.preventDefault();
        onMove(event.key === "ArrowUp" ? -1 : 1);
      }}
      className="flex h-6 cursor-grab items-center rounded-xs text-subtle touch-target"
    >
      <GripVertical className="size-3.5" aria-hidden />
    </button>
  );
}
