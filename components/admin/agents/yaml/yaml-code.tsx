"use client";
import { type Diagnostic, linter, lintGutter } from "@codemirror/lint";
import type { EditorState, Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import CodeMirror, { ExternalChange } from "@uiw/react-codemirror";
import { useEffect, useLayoutEffect, useMemo, useState } from "react";
import type { ConfigProblem } from "@/lib/schema/agents/agent-api";
import { yamlCompletion } from "./yaml-completion";
import { setYamlLook, YAML_LOOK, type YamlLook } from "./yaml-look";
import { YAML_THEME } from "./yaml-theme";

export interface YamlCodeProps {
  value: string;
  onChange?: (value: string) => void;
  problems?: readonly ConfigProblem[];
  /** The JSON Schema for completion, or null. Pass a stable function. */
  loadSchema?: () => Promise<Readonly<Record<string, unknown>> | null>;
  onCursor?: (line: number, column: number) => void;
  /** Called when the user moves the caret, not when an edit elsewhere shifts it. */
  onCaret?: (offset: number) => void;
  look?: YamlLook;
  isWrapped?: boolean;
  label: string;
}

const NO_PROBLEMS: readonly ConfigProblem[] = [];
const loadNoSchema = async () => null;

/** YAML with completion from the schema and the server's problems at their lines. Read-only without `onChange`. */
export function YamlCode(props: YamlCodeProps) {
  const {
    value,
    onChange,
    problems = NO_PROBLEMS,
    loadSchema = loadNoSchema,
    onCursor,
    onCaret,
    look,
    isWrapped,
    label,
  } = props;
  const [view, setView] = useState<EditorView | null>(null);
  const hasLook = look !== undefined;
  const completion = useMemo(() => yamlCompletion(loadSchema), [loadSchema]);
  const extensions = useMemo<Extension[]>(
    () => [
      completion,
      lintGutter(),
      linter((view) => problems.map((problem) => toDiagnostic(view.state, problem)), { delay: 0 }),
      EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
      YAML_THEME,
      hasLook ? YAML_LOOK : [],
      isWrapped ? EditorView.lineWrapping : [],
    ],
    [completion, problems, label, hasLook, isWrapped],
  );
  // Before the component below replaces the whole text: caret, folds and scroll position are kept.
  useLayoutEffect(() => replaceDifference(view, value), [view, value]);
  useEffect(() => showLook(view, look), [view, look]);
  return (
    <CodeMirror
      onCreateEditor={setView}
      value={value}
      onChange={onChange}
      readOnly={onChange === undefined}
      extensions={extensions}
      theme="none"
      height="100%"
      className="h-full text-xs"
      basicSetup={{
        foldGutter: false,
        highlightActiveLine: onChange !== undefined && !hasLook,
        highlightActiveLineGutter: !hasLook,
        tabSize: 2,
      }}
      onUpdate={(update) => {
        if (!update.selectionSet) return;
        const { head } = update.state.selection.main;
        const line = update.state.doc.lineAt(head);
        onCursor?.(line.number, head - line.from + 1);
        if (update.view.hasFocus) onCaret?.(head);
      }}
    />
  );
}

/** The lines of a field focused elsewhere scroll into view. */
function showLook(view: EditorView | null, look: YamlLook | undefined): void {
  if (look === undefined || view === null) return;
  view.dispatch({ effects: setYamlLook.of(look) });
  if (look.active === null || view.hasFocus || look.active.first > view.state.doc.lines) return;
  const { from } = view.state.doc.line(look.active.first);
  view.dispatch({ effects: EditorView.scrollIntoView(from, { y: "nearest", yMargin: 40 }) });
}

/** Only what is between the first and the last differing character. */
function replaceDifference(view: EditorView | null, value: string): void {
  if (view === null) return;
  const old = view.state.doc.toString();
  if (old === value) return;
  let from = 0;
  while (from < Math.min(old.length, value.length) && old[from] === value[from]) from += 1;
  let tail = 0;
  const most = Math.min(old.length, value.length) - from;
  while (tail < most && old[old.length - 1 - tail] === value[value.length - 1 - tail]) tail += 1;
  const changes = { from, to: old.length - tail, insert: value.slice(from, value.length - tail) };
  view.dispatch({ changes, annotations: ExternalChange.of(true) });
}

function toDiagnostic(state: EditorState, problem: ConfigProblem): Diagnostic {
  const number = Math.min(Math.max(problem.line ?? 1, 1), state.doc.lines);
  const line = state.doc.line(number);
  const from = Math.min(line.from + Math.max(0, (problem.column ?? 1) - 1), line.to);
  const message = problem.path === "" ? problem.message : `${problem.path}: ${problem.message}`;
  return { from, to: line.to, severity: problem.severity, message };
}
