"use client";
import { ChevronRight } from "lucide-react";
import { type ReactNode, useId } from "react";
import type { FormGroup } from "@/lib/client/agents/form/form-field";
import { classNames } from "@/lib/client/ui/class-names";
import { useKeptNumber } from "@/lib/client/ui/use-kept-state";
import { ChangedRing } from "./field-frame";

interface FormSectionProps {
  group: FormGroup;
  isChanged: boolean;
  /** It holds the field in view, or one with a problem, and is open whatever the person chose. */
  isNeeded: boolean;
  children: ReactNode;
}

/** A group of fields under its heading; a folded one is open where this person opened it last. */
export function FormSection({ group, isChanged, isNeeded, children }: FormSectionProps) {
  const { title, help, isFolded = false } = group;
  const id = useId();
  const [kept, keep] = useKeptNumber(`form-${(title ?? "").toLowerCase().replaceAll(" ", "-")}`, 0);
  const isOpen = !isFolded || isNeeded || kept === 1;
  return (
    <section
      className={classNames(
        "not-first:border-t not-first:border-separator",
        !isFolded && "not-first:mt-3 not-first:pt-3",
      )}
    >
      {title === undefined ? null : isFolded ? (
        <h2 className="text-sm font-medium">
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => keep(isOpen ? 0 : 1)}
            className="flex h-9 w-full items-center gap-2 px-5 text-left touch-row hover:bg-default"
          >
            <ChevronRight
              className={classNames("size-4 shrink-0 text-muted transition-transform", isOpen && "rotate-90")}
              aria-hidden
            />
            {title}
            {isChanged ? <ChangedRing /> : null}
          </button>
        </h2>
      ) : (
        <h2 className="px-5 pb-1 text-sm font-medium">{title}</h2>
      )}
      <div id={id} hidden={!isOpen} className={classNames(isFolded && "pb-2")}>
        {isOpen ? (
          <>
            {help === undefined ? null : <p className="px-5 pb-1 text-xs text-muted">{help}</p>}
            {children}
          </>
        ) : null}
      </div>
    </section>
  );
}
