import type { DiffRow } from "@/lib/client/files/diff-rows";
import { classNames } from "@/lib/client/ui/class-names";
import { languageOf } from "@/lib/client/ui/highlight";
import { CodeLine } from "./code-line";
import { ScrollArea } from "./scroll-area";

const ROW_LOOK: Record<DiffRow["kind"], string> = {
  " ": "",
  "+": "bg-diff-add",
  "-": "bg-diff-del",
  "@": "text-subtle",
};
const SIGN_LOOK: Record<DiffRow["kind"], string> = { " ": "", "+": "text-ok-text", "-": "text-fail-text", "@": "" };
const SIGNS: Record<DiffRow["kind"], string> = { " ": " ", "+": "+", "-": "−", "@": "" };

export interface DiffProps {
  rows: readonly DiffRow[];
  /** Name of the file, for the colours and for screen readers. */
  path: string;
  className?: string;
}

/** Two number columns, a sign (never colour alone), the changed words tinted. Scrolls sideways, never wraps. */
export function Diff({ rows, path, className }: DiffProps) {
  const language = languageOf(path);
  return (
    <ScrollArea
      label={`Changes in ${path}`}
      className={classNames("bg-code py-1 font-mono text-xs leading-[19px]", className)}
    >
      <div className="min-w-max">
        {rows.map((row) => (
          <div
            key={`${row.kind}${row.oldLine ?? ""}:${row.newLine ?? row.text}`}
            className={classNames("flex", ROW_LOOK[row.kind])}
          >
            <span className="tnum w-9 shrink-0 pr-2 text-right text-2xs text-subtle select-none">{row.oldLine}</span>
            <span className="tnum w-8 shrink-0 pr-2 text-right text-2xs text-subtle select-none">{row.newLine}</span>
            <span className={classNames("w-4 shrink-0 select-none", SIGN_LOOK[row.kind])}>{SIGNS[row.kind]}</span>
            <span className="min-h-[19px] pr-4 whitespace-pre">
              <MarkedLine row={row} language={language} />
            </span>
          </div>
        ))}
      </div>
    </ScrollArea>
  );
}

function MarkedLine({ row, language }: { row: DiffRow; language: string }) {
  if (!row.mark) return <CodeLine text={row.text} language={row.kind === "@" ? "plain" : language} />;
  const [start, end] = row.mark;
  return (
    <>
      <CodeLine text={row.text.slice(0, start)} language={language} />
      <span className={classNames("rounded-xs", row.kind === "+" ? "bg-diff-add-mark" : "bg-diff-del-mark")}>
        <CodeLine text={row.text.slice(start, end)} language={language} />
      </span>
      <CodeLine text={row.text.slice(end)} language={language} />
    </>
  );
}

/** "+9 −2", with words for those who hear it. */
export function DiffCount({ added, removed }: { added: number; removed: number }) {
  return (
    <span className="tnum font-mono text-2xs whitespace-nowrap">
      <span className="text-ok-text">
        +{added}
        <span className="sr-only"> lines added</span>
      </span>{" "}
      <span className="text-fail-text">
        −{removed}
        <span className="sr-only"> lines removed</span>
      </span>
    </span>
  );
}
