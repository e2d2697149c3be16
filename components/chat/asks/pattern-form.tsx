"use client";
import { useId, useState } from "react";
import { GrantWhatIf } from "@/components/permissions/what-if-line";
import { Button } from "@/components/ui/controls/button";
import { TextField } from "@/components/ui/controls/text-field";
import { onEscape } from "@/lib/client/ui/input/on-escape";
import { explainPattern, patternMatches } from "@/lib/schema/tools/command-pattern";

interface PatternFormProps {
  command: string;
  suggestion: string;
  /** The agent and the tool that asks: what the words would have allowed is then said. */
  of: { agentId: string; tool: string } | null;
  isBusy: boolean;
  onCancel: () => void;
  onAllow: (pattern: string) => void;
}

/** Allows commands by their first words, with examples of what would run and what would still ask. */
export function PatternForm({ command, suggestion, of, isBusy, onCancel, onAllow }: PatternFormProps) {
  const [pattern, setPattern] = useState(suggestion);
  const listId = useId();
  const examples = explainPattern(pattern);
  const problem =
    examples === null
      ? "Enter the first words of one simple command, without operators, substitutions or wildcards."
      : patternMatches(pattern, command)
        ? null
        : "This command does not begin with these words.";
  return (
    <form
      className="flex flex-col gap-2 border-t border-separator px-3 pt-2.5 pb-3"
      onKeyDown={onEscape(onCancel)}
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === null && !isBusy) onAllow(pattern.trim());
      }}
    >
      <TextField
        label="Commands in this thread that begin with"
        value={pattern}
        onChange={setPattern}
        isInvalid={problem !== null}
        errorMessage={problem ?? undefined}
        mono
        autoFocus
      />
      {examples === null ? null : (
        <dl aria-labelledby={listId} className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5 text-xs">
          <dt id={listId} className="text-muted">
            Runs
          </dt>
          <dd className="min-w-0 font-mono break-words">{examples.runs.join(", ")}</dd>
          <dt className="text-muted">Still asks</dt>
          <dd className="min-w-0 font-mono break-words">{examples.asks.join(", ")}</dd>
        </dl>
      )}
      {of === null || problem !== null ? null : (
        <GrantWhatIf agentId={of.agentId} grant={{ tool: of.tool, pattern: pattern.trim() }} />
      )}
      <div className="flex gap-2">
        <Button type="submit" isDisabled={isBusy || problem !== null}>
          Allow these commands
        </Button>
        <Button variant="ghost" onPress={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
