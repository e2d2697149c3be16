import { ScrollArea } from "@/components/ui/scroll-area";
import type { DiffRow } from "@/lib/client/files/diff-rows";
import { classNames } from "@/lib/client/ui/class-names";
import { cutTokens, type HighlightedLine } from "@/lib/client/ui/code/code-token";
import { type Language, languageOf } from "@/lib/client/ui/code/languages";
import { useHighlighted } from "@/lib/client/ui/code/use-highlighted";
import { CodeLine, CodeTokens } from "./code-line";

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
        {hunksOf(rows).map((hunk) => (
          <Hunk
            key={`${hunk[0]?.oldLine ?? ""}:${hunk[0]?.newLine ?? hunk[0]?.text}`}
            rows={hunk}
            language={language}
          />
        ))}
      </div>
    </ScrollArea>
  );
}

/** Consecutive lines of the file; the first row says where they begin. */
function hunksOf(rows: readonly DiffRow[]): DiffRow[][] {
  const hunks: DiffRow[][] = [];
  for (const row of rows) {
    const last = hunks.at(-1);
    if (last && row.kind !== "@") last.push(row);
    else hunks.push([row]);
  }
  return hunks;
}

/** Each side is coloured as its own text: a removed line may have begun a comment. */
function Hunk({ rows, language }: { rows: readonly DiffRow[]; language: Language | null }) {
  const before = useHighlighted(textOf(rows, "-"), language);
  const after = useHighlighted(textOf(rows, "+"), language);
  const [firstOld, firstNew] = [rows.find(isOld)?.oldLine ?? 0, rows.find(isNew)?.newLine ?? 0];
  const highlighted = ({ kind, oldLine = 0, newLine = 0 }: DiffRow) =>
    kind === "-" ? before[oldLine - firstOld] : after[newLine - firstNew];
  return rows.map((row) => (
    <div
      key={`${row.kind}${row.oldLine ?? ""}:${row.newLine ?? row.text}`}
      className={classNames("flex", ROW_LOOK[row.kind])}
    >
      <span className="tnum w-9 shrink-0 pr-2 text-right text-2xs text-subtle select-none">{row.oldLine}</span>
      <span className="tnum w-8 shrink-0 pr-2 text-right text-2xs text-subtle select-none">{row.newLine}</span>
      <span className={classNames("w-4 shrink-0 select-none", SIGN_LOOK[row.kind])}>{SIGNS[row.kind]}</span>
      <span className="min-h-[19px] pr-4 whitespace-pre">
        <MarkedLine row={row} highlighted={row.kind === "@" ? undefined : highlighted(row)} />
      </span>
    </div>
  ));
}

const isOld = ({ oldLine }: DiffRow) => oldLine !== undefined;
const isNew = ({ newLine }: DiffRow) => newLine !== undefined;

function textOf(rows: readonly DiffRow[], side: "-" | "+"): string {
  return rows
    .filter(({ kind }) => kind === side || kind === " ")
    .map(({ text }) => text)
    .join("\n");
}

function MarkedLine({ row, highlighted }: { row: DiffRow; highlighted: HighlightedLine | undefined }) {
  if (!row.mark) return <CodeLine text={row.text} highlighted={highlighted} />;
  const [start, end] = row.mark;
  const tokens = highlighted?.text === row.text ? highlighted.tokens : [{ text: row.text, look: "plain" as const }];
  return (
    <>
      <CodeTokens tokens={cutTokens(tokens, 0, start)} />
      <span className={classNames("rounded-xs", row.kind === "+" ? "bg-diff-add-mark" : "bg-diff-del-mark")}>
        <CodeTokens tokens={cutTokens(tokens, start, end)} />
      </span>
      <CodeTokens tokens={cutTokens(tokens, end, row.text.length)} />
    </>
  );
}
