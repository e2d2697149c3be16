"use client";
import { X } from "lucide-react";
import { type KeyboardEvent, useId, useState } from "react";
import { FIELD } from "@/components/ui/controls/text-field";
import { isObject } from "@/lib/client/agents/config-text/config-values";
import { classNames } from "@/lib/client/ui/class-names";
import { modelName } from "@/lib/schema/agents/agent-config";
import type { ControlProps } from "./plain-controls";

export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** An empty list counts as unset. */
export function orUnset(items: readonly unknown[]): unknown {
  return items.length === 0 ? undefined : items;
}

export interface TagsControlProps extends ControlProps {
  add: string;
  suggestions: readonly string[];
  /** The meaning of an empty list. */
  all?: string;
  /** The label of an item that is more than a string. */
  wordOf?: (item: unknown) => string;
}

/** Texts as tags; Enter or a comma adds one, Backspace in the empty field removes the last one. */
export function TagsControl({ id, value, onChange, aria, add, suggestions, all, wordOf }: TagsControlProps) {
  const [text, setText] = useState("");
  const listId = useId();
  const items = itemsOf(value);
  const words = items.map((item) => wordOf?.(item) ?? String(item));
  const put = (word: string) => {
    setText("");
    const added = word.trim();
    if (added !== "" && !words.includes(added)) onChange([...items, added]);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.key === "Enter" || event.key === ",") && !event.nativeEvent.isComposing) {
      event.preventDefault();
      put(text);
    }
    if (event.key === "Backspace" && text === "" && items.length > 0) onChange(orUnset(items.slice(0, -1)));
  };
  const left = suggestions.filter((suggestion) => !words.includes(suggestion));
  return (
    <div
      className={classNames(
        FIELD,
        "flex min-h-8 flex-wrap items-center gap-1 py-1 pr-2.5 pl-1.5 focus-within:border-focus focus-within:ring-1 focus-within:ring-focus",
      )}
    >
      {words.map((word, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: an invalid list may have a word twice.
          key={`${word} ${index}`}
          className="inline-flex h-5 max-w-full items-center gap-0.5 rounded-sm bg-default pr-0.5 pl-1.5 text-xs text-foreground touch-row"
        >
          <span className="truncate">{word}</span>
          <button
            type="button"
            aria-label={`Remove ${word}`}
            onClick={() => onChange(orUnset(items.filter((_, at) => at !== index)))}
            className="flex size-4 items-center justify-center rounded-xs text-muted touch-target hover:text-foreground"
          >
            <X className="size-3" aria-hidden />
          </button>
        </span>
      ))}
      <input
        id={id}
        aria-labelledby={`${id}-label`}
        {...aria}
        list={listId}
        value={text}
        placeholder={items.length === 0 && all !== undefined ? all : add}
        onChange={(event) => {
          const next = event.target.value;
          // A chosen suggestion arrives as a whole.
          if (
            left.includes(next) &&
            !("inputType" in event.nativeEvent && event.nativeEvent.inputType === "insertText")
          )
            put(next);
          else setText(next);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => put(text)}
        className="h-5 min-w-24 flex-1 bg-transparent px-1 text-sm outline-none touch-row"
      />
      <datalist id={listId}>
        {left.map((suggestion) => (
          <option key={suggestion} value={suggestion} />
        ))}
      </datalist>
    </div>
  );
}

/** An agent's id, or the name of one defined inline. */
export function subagentWord(item: unknown): string {
  return isObject(item) ? `${String(item.name ?? "unnamed")} (defined here)` : String(item);
}

export interface ModelControlProps extends ControlProps {
  models: readonly string[];
  /** The meaning of an empty value. */
  empty?: string | undefined;
}

export function modelWord(value: unknown): string {
  if (isObject(value) && typeof value.provider === "string" && typeof value.model === "string")
    return modelName({ provider: value.provider, model: value.model });
  return typeof value === "string" ? value : "";
}

/** Any model; those that the providers list are suggested. */
export function ModelControl({
  id,
  value,
  onChange,
  aria,
  models,
  empty = "the installation's default",
}: ModelControlProps) {
  const listId = useId();
  return (
    <>
      <input
        id={id}
        {...aria}
        list={listId}
        value={modelWord(value)}
        placeholder={empty}
        spellCheck={false}
        onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value)}
        className={classNames(FIELD, "h-8 font-mono text-xs touch-row aria-invalid:border-fail")}
      />
      <datalist id={listId}>
        {models.map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
    </>
  );
}
