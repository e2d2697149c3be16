"use client";
import { Button } from "@/components/ui/controls/button";
import type { FormField } from "@/lib/client/forms/use-field";

interface TheirsProps {
  field: FormField;
  label: string;
  /** Names of the values that a choice shows by other words. */
  options?: readonly { readonly id: string; readonly name: string }[] | undefined;
}

/** What somebody else has saved in a field while it was changed here, and how to take it. */
export function Theirs({ field: { theirs, takeTheirs }, label, options = [] }: TheirsProps) {
  if (theirs === undefined) return null;
  const shown = options.find(({ id }) => id === theirs)?.name ?? textOf(theirs);
  return (
    <div className="flex items-start gap-2 rounded-md bg-limit-soft py-1 pr-1 pl-2.5 text-xs text-limit-text">
      <p className="min-w-0 flex-1 py-1 break-words whitespace-pre-wrap">
        <span className="font-medium">Theirs: </span>
        {shown === "" ? "nothing" : shown}
      </p>
      <Button variant="ghost" onPress={takeTheirs} aria-label={`Take theirs: ${label}`}>
        Take theirs
      </Button>
    </div>
  );
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  return typeof value === "object" && value !== null ? JSON.stringify(value, null, 2) : String(value ?? "");
}
