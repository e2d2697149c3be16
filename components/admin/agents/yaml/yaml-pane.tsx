"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { WrapText } from "lucide-react";
import { useCallback, useState } from "react";
import { CopyButton } from "@/components/ui/controls/copy-button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { agentSchemaQuery } from "@/lib/client/agents/agent-queries";
import type { YamlDraft } from "@/lib/client/agents/use-checked-yaml";
import { classNames } from "@/lib/client/ui/class-names";
import { useKeptNumber } from "@/lib/client/ui/use-kept-state";
import { YamlEditor } from "./yaml-editor";
import type { YamlLook } from "./yaml-look";

const STATE_LABELS: Record<YamlDraft["state"], { word: string; look: string }> = {
  checking: { word: "checking", look: "text-muted" },
  valid: { word: "valid", look: "text-ok-text" },
  invalid: { word: "invalid", look: "text-fail-text" },
  unchecked: { word: "not checked", look: "text-limit-text" },
};

export interface YamlPaneProps {
  fileName: string;
  draft: YamlDraft;
  look?: YamlLook;
  onCaret?: (offset: number) => void;
  /** The field that the caret is in. */
  fieldName?: string;
}

/** An agent's text: file name and state above, problems and the cursor's position below. */
export function YamlPane({ fileName, draft, look, onCaret, fieldName }: YamlPaneProps) {
  useQuery(agentSchemaQuery);
  const queryClient = useQueryClient();
  const loadSchema = useCallback(() => queryClient.fetchQuery(agentSchemaQuery).catch(() => null), [queryClient]);
  const [cursor, setCursor] = useState("Ln 1, Col 1");
  const [isWrapped, setWrapped] = useKeptNumber("yaml-wrap", 1);
  const { word, look: wordLook } = STATE_LABELS[draft.state];
  const errors = draft.problems.filter(({ severity }) => severity === "error").length;
  return (
    <section aria-label="YAML" className="flex min-h-0 min-w-0 flex-1 flex-col bg-code">
      <header className="flex h-9 shrink-0 items-center gap-2 border-b border-border bg-background pr-2 pl-4 text-xs">
        <span className="truncate font-mono font-medium">{fileName}</span>
        <span role="status" className={wordLook}>
          {draft.state === "invalid" ? countProblems(errors) : word}
        </span>
        <span className="flex-1" />
        <IconButton label="Wrap lines" active={isWrapped === 1} onPress={() => setWrapped(1 - isWrapped)}>
          <WrapText />
        </IconButton>
        <CopyButton text={() => draft.text} label="Copy the text" />
      </header>
      <div className="min-h-0 flex-1 overflow-hidden">
        <YamlEditor
          label={`${fileName}, YAML`}
          value={draft.text}
          onChange={draft.setText}
          problems={draft.problems}
          loadSchema={loadSchema}
          onCursor={(line, column) => setCursor(`Ln ${line}, Col ${column}`)}
          onCaret={onCaret}
          look={look}
          isWrapped={isWrapped === 1}
        />
      </div>
      <ProblemList draft={draft} />
      <footer className="tnum flex h-7 shrink-0 items-center gap-3 border-t border-border bg-background px-4 text-2xs whitespace-nowrap text-muted">
        <span>{cursor}</span>
        <span className="truncate">{fieldName}</span>
        <span className="ml-auto max-sm:hidden">comments are kept</span>
        <span className="max-xl:hidden pointer-coarse:hidden">Ctrl Space completes</span>
      </footer>
    </section>
  );
}

function countProblems(errors: number): string {
  return errors === 1 ? "1 problem" : `${errors} problems`;
}

function ProblemList({ draft }: { draft: YamlDraft }) {
  if (draft.checkError !== null) {
    return (
      <p role="alert" className="border-t border-border bg-surface px-4 py-2 text-xs text-limit-text">
        {draft.checkError} Publishing checks again.
      </p>
    );
  }
  if (draft.problems.length === 0) return null;
  return (
    <ul
      aria-label="Problems"
      className={classNames(
        "max-h-40 shrink-0 overflow-y-auto border-t border-border bg-surface py-1",
        draft.state === "checking" && "opacity-60",
      )}
    >
      {draft.problems.map((problem) => (
        <li
          key={`${problem.line}:${problem.column}:${problem.path}:${problem.message}`}
          className="flex gap-3 px-4 py-1 text-xs"
        >
          <span className="tnum w-14 shrink-0 text-muted">{problem.line ? `Line ${problem.line}` : "Config"}</span>
          <span className="min-w-0 break-words text-fail-text">
            {problem.path === "" ? null : <code className="mr-1.5">{problem.path}</code>}
            {problem.message}
          </span>
        </li>
      ))}
    </ul>
  );
}
