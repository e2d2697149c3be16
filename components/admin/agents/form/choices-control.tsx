"use client";
import { Segments } from "@/components/ui/controls/segments";
import { isObject } from "@/lib/client/agents/config-text/config-values";
import { EFFORTS } from "@/lib/schema/agents/choices";
import { itemsOf, TagsControl } from "./list-controls";
import type { ControlProps } from "./plain-controls";

/** Null: everything that is on. */
type Offered = readonly unknown[] | null;

interface Picks {
  readonly models: Offered;
  readonly efforts: Offered;
}

const EVERYTHING: Picks = { models: null, efforts: null };

/** What people may pick for a message: everything, nothing, or a list, for models and efforts apart. */
export function ChoicesControl({ value, onChange, models, ...props }: ControlProps & { models: readonly string[] }) {
  const picks = isObject(value) ? { models: offeredIn(value.models), efforts: offeredIn(value.efforts) } : EVERYTHING;
  const set = (change: Partial<Picks>) => {
    const next = { ...picks, ...change };
    onChange(next.models === null && next.efforts === null ? undefined : next);
  };
  return (
    <div className="space-y-3">
      <OfferedList
        {...props}
        label="Models"
        all="All that are on"
        none="The agent's own"
        add="Add a model"
        value={picks.models}
        first={models.slice(0, 1)}
        suggestions={models}
        onChange={(offered) => set({ models: offered })}
      />
      <OfferedList
        {...props}
        label="Efforts"
        all="Any"
        none="The model's own"
        add="Add an effort"
        value={picks.efforts}
        first={["low", "medium", "high"]}
        suggestions={EFFORTS}
        onChange={(offered) => set({ efforts: offered })}
      />
    </div>
  );
}

/** A list that is missing offers nothing. */
function offeredIn(list: unknown): Offered {
  return list === null ? null : itemsOf(list);
}

interface OfferedListProps extends Omit<ControlProps, "value" | "onChange"> {
  label: string;
  all: string;
  none: string;
  add: string;
  value: Offered;
  /** The list that "Only these" begins with. */
  first: readonly string[];
  suggestions: readonly string[];
  onChange: (offered: Offered) => void;
}

function OfferedList({ label, all, none, add, value, first, suggestions, onChange, ...props }: OfferedListProps) {
  const kind = value === null ? "all" : value.length === 0 ? "none" : "these";
  const options = [
    { id: "all", name: all },
    { id: "none", name: none },
    { id: "these", name: "Only these" },
  ];
  return (
    <div className="space-y-1.5">
      <p className="text-xs text-muted" aria-hidden>
        {label}
      </p>
      <Segments
        label={label}
        isFull
        options={options}
        value={kind}
        onChange={(next) => onChange(next === "all" ? null : next === "none" ? [] : first)}
      />
      {kind === "these" ? (
        <TagsControl
          {...props}
          id={`${props.id}-${label.toLowerCase()}`}
          aria={{ ...props.aria, "aria-label": label }}
          value={value}
          onChange={(items) => onChange(itemsOf(items))}
          add={add}
          suggestions={suggestions}
        />
      ) : null}
    </div>
  );
}
