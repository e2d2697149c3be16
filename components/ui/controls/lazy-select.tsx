"use client";
import { ChevronDown } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { classNames } from "@/lib/client/ui/class-names";
import type { SelectProps } from "./select";
import { BARE_SELECT } from "./select-look";

const load = () => loadWithRetry(() => import("./select"));
const Select = lazy(async () => ({ default: (await load()).Select }));
const prepare = () => void load();

/**
 * The bare `Select` for a page that has to appear quickly: its list is loaded when a pointer or the focus approaches.
 */
export function LazySelect(props: Omit<SelectProps, "look" | "startsOpen">) {
  const [isAsked, setAsked] = useState(false);
  const { label, options, value, placeholder = "Choose", isDisabled, className } = props;
  const chosen = options?.find(({ id }) => id === value)?.name;
  const closed = (
    <div className={classNames("min-w-0", className)}>
      <button
        type="button"
        aria-haspopup="listbox"
        aria-expanded={false}
        aria-label={`${chosen ?? placeholder} ${label}`}
        disabled={isDisabled}
        onPointerEnter={prepare}
        onFocus={prepare}
        onClick={() => setAsked(true)}
        onKeyDown={({ key }) => {
          if (key === "ArrowDown" || key === "ArrowUp") setAsked(true);
        }}
        className={BARE_SELECT}
      >
        <span className={classNames("min-w-0 flex-1 truncate", chosen === undefined && "text-subtle")}>
          {chosen ?? placeholder}
        </span>
        <ChevronDown className="size-3.5 shrink-0 text-subtle" aria-hidden />
      </button>
    </div>
  );
  if (!isAsked) return closed;
  return (
    <Suspense fallback={closed}>
      <Select {...props} look="bare" startsOpen />
    </Suspense>
  );
}
