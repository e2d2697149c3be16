"use client";
import { type Diagnostic, linter, lintGutter } from "@codemirror/lint";
import type { EditorState, Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import CodeMirror from "@uiw/react-codemirror";
import { useMemo } from "react";
import type { ConfigProblem } from "@/lib/schema/agents/agent-api";
import { yamlCompletion } from "./yaml-completion";
import { YAML_THEME } from "./yaml-theme";

export interface YamlCodeProps {
  value: string;
  onChange?: (value: string) => void;
  problems?: readonly ConfigProblem[];
  /** JSON Schema that completion offers from. */
  schema?: Readonly<Record<string, unknown>> | null;
  onCursor?: (line: number, column: number) => void;
  label: string;
}

const NOTHING: readonly ConfigProblem[] = [];

/** YAML with completion from the schema and the server's problems at their lines. Read-only without `onChange`. */
export function YamlCode({ value, onChange, problems = NOTHING, schema = null, onCursor, label }: YamlCodeProps) {
  const extensions = useMemo<Extension[]>(
    () => [
      yamlCompletion(schema),
      lintGutter(),
      linter((view) => problems.map((problem) => toDiagnostic(view.state, problem)), { delay: 0 }),
      EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
      YAML_THEME,
    ],
    [schema, problems, label],
  );
  return (
    <CodeMirror
      value={value}
      onChange={onChange}
      readOnly={onChange === undefined}
      extensions={extensions}
      theme="none"
      height="100%"
      className="h-full text-xs"
      basicSetup={{ foldGutter: false, highlightActiveLine: onChange !== undefined, tabSize: 2 }}
      onUpdate={(update) => {
        if (!onCursor || !update.selectionSet) return;
        const { head } = update.state.selection.main;
        const line = update.state.doc.lineAt(head);
        onCursor(line.number, head - line.from + 1);
      }}
    />
  );
}

function toDiagnostic(state: EditorState, problem: ConfigProblem): Diagnostic {
  const number = Math.min(Math.max(problem.line ?? 1, 1), state.doc.lines);
  const line = state.doc.line(number);
  const from = Math.min(line.from + Math.max(0, (problem.column ?? 1) - 1), line.to);
  const message = problem.path === "" ? problem.message : `${problem.path}: ${problem.message}`;
  return { from, to: line.to, severity: problem.severity, message };
}
