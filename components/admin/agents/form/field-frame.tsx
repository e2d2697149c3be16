"use client";
import type { ReactNode } from "react";
import { classNames } from "@/lib/client/ui/class-names";

/** A value's difference from the live version. */
export type ChangeKind = "new" | "changed";

export const EDGES: Record<ChangeKind, string> = { new: "before:bg-ok", changed: "before:bg-live" };

/** A small ring: something here differs from the live version. */
export function ChangedRing() {
  return (
    <span
      role="img"
      aria-label="changed"
      className="inline-block size-1.5 shrink-0 rounded-full border-[1.5px] border-foreground"
    />
  );
}

export interface FieldFrameProps {
  /** The control's id; its label, help and problems have ids that begin with it. */
  id: string;
  label: string;
  /** The control can be labelled by its id. */
  isLabelFor?: boolean;
  hint?: ReactNode;
  help?: ReactNode;
  /** The page of the guide about it. */
  guide?: string;
  problems: readonly string[];
  change: ChangeKind | null;
  isActive: boolean;
  isHalf?: boolean;
  children: ReactNode;
}

/** One field: label and ring above, the control, help and problems below; tinted while its lines are. */
export function FieldFrame(props: FieldFrameProps) {
  const {
    id,
    label,
    isLabelFor = true,
    hint,
    help,
    guide,
    problems,
    change,
    isActive,
    isHalf = false,
    children,
  } = props;
  return (
    <div
      id={`${id}-frame`}
      data-active={isActive || undefined}
      className={classNames(
        "group relative min-w-0 px-5 py-2 data-active:bg-selection",
        isHalf ? "max-sm:col-span-2" : "col-span-2",
        change !== null && "before:absolute before:inset-y-2 before:left-0 before:w-[3px]",
        change !== null && EDGES[change],
      )}
    >
      <div className="mb-1 flex min-h-4 items-center gap-1.5 text-xs text-muted">
        {isLabelFor ? (
          <label htmlFor={id} id={`${id}-label`} className="font-medium">
            {label}
          </label>
        ) : (
          <span id={`${id}-label`} className="font-medium">
            {label}
          </span>
        )}
        {change === null ? null : <ChangedRing />}
        {hint === undefined ? null : <span className="ml-auto truncate font-normal">{hint}</span>}
      </div>
      {children}
      <FieldNotes {...{ id, label, help, guide, problems }} />
    </div>
  );
}

type FieldNotesProps = Pick<FieldFrameProps, "id" | "label" | "help" | "guide" | "problems">;

/** Under a control. The link to the guide shows, and takes the focus, only while the field is pointed at or in use. */
export function FieldNotes({ id, label, help, guide, problems }: FieldNotesProps) {
  return (
    <>
      {help === undefined ? null : (
        <p className="mt-1 text-xs text-muted">
          <span id={`${id}-help`}>{help}</span>
          {guide === undefined ? null : (
            <a
              href={guide}
              target="_blank"
              rel="noopener"
              aria-label={`Guide: ${label}`}
              className="invisible ml-1.5 text-link group-focus-within:visible group-hover:visible hover:underline"
            >
              Guide
            </a>
          )}
        </p>
      )}
      {problems.length === 0 ? null : (
        <div id={`${id}-problem`} className="mt-1 text-xs break-words text-fail-text">
          {problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </div>
      )}
    </>
  );
}

/** The control's `aria-describedby`. */
export function describedBy(id: string, { help, problems }: Pick<FieldFrameProps, "help" | "problems">) {
  const ids = [help === undefined ? "" : `${id}-help`, problems.length === 0 ? "" : `${id}-problem`].filter(Boolean);
  return {
    "aria-describedby": ids.length === 0 ? undefined : ids.join(" "),
    "aria-invalid": problems.length > 0 || undefined,
  };
}
