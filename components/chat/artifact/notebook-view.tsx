"use client";
import { useMemo } from "react";
import { CodeBlock } from "@/components/ui/code/code-block";
import { Markdown } from "@/components/ui/markdown/markdown";
import { type NotebookOutput, readNotebook } from "@/lib/client/files/artifact/notebook";
import { placed } from "@/lib/client/ui/markdown/markdown";

/** A Jupyter notebook: text, code and the code's output. */
export function NotebookView({ text }: { text: string }) {
  const notebook = useMemo(() => readNotebook(text), [text]);
  if (notebook === null) {
    return <p className="text-sm text-muted">This notebook can't be read. See it as code.</p>;
  }
  if (notebook.cells.length === 0) return <p className="text-sm text-muted">The notebook has no cells.</p>;
  return (
    <ol aria-label="Cells" className="space-y-4">
      {placed(notebook.cells).map(({ place, item: { kind, text: source, count, outputs } }) => (
        <li key={place}>
          {kind === "markdown" ? (
            <Markdown text={source} />
          ) : kind === "raw" ? (
            <pre className="text-sm whitespace-pre-wrap text-muted">{source}</pre>
          ) : (
            <>
              <p className="tnum mb-1 font-mono text-2xs text-muted">{count === null ? "not run" : `In [${count}]`}</p>
              <CodeBlock code={source} title={notebook.language} />
            </>
          )}
          {placed(outputs).map(({ place: at, item }) => (
            <Output key={at} output={item} />
          ))}
        </li>
      ))}
    </ol>
  );
}

function Output({ output }: { output: NotebookOutput }) {
  switch (output.kind) {
    case "image":
      // On white: charts are drawn for paper, often without a background of their own.
      return <img src={output.source} alt="Drawn by the code above" className="mt-2 max-w-full bg-white" />;
    case "text":
      return (
        <pre className="mt-2 max-h-96 overflow-auto font-mono text-xs whitespace-pre-wrap" {...{ tabIndex: 0 }}>
          {output.text}
        </pre>
      );
    case "error":
      return (
        <pre
          className="mt-2 max-h-96 overflow-auto bg-fail-soft p-2 font-mono text-xs whitespace-pre-wrap text-fail-text"
          {...{ tabIndex: 0 }}
        >
          {output.text}
        </pre>
      );
    case "unknown":
      return <p className="mt-2 text-xs text-muted">An output of type {output.types} is not shown here.</p>;
  }
}
