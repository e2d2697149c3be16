import { diffRows } from "@/lib/client/files/diff-rows";
import { restOfSchema, schemaLines } from "@/lib/client/tools/schema-lines";
import { classNames } from "@/lib/client/ui/class-names";
import type { McpDefinition } from "@/lib/schema/tools/mcp-server";

interface DefinitionDiffProps {
  /** The accepted definition; null for a new tool. */
  before: McpDefinition | null;
  after: McpDefinition;
}

/** The new definition next to the accepted one: the description by words, the schema by fields. */
export function DefinitionDiff({ before, after }: DefinitionDiffProps) {
  const titles = [before?.title ?? "", after.title ?? ""] as const;
  const hints = [annotationLines(before), annotationLines(after)] as const;
  return (
    <>
      {titles[0] === titles[1] && after.title === undefined ? null : (
        <Part title="Title" before={before && titles[0]} after={titles[1]} />
      )}
      <Part
        title="Description"
        note={wordsNote(before?.description, after.description)}
        before={before === null ? null : before.description}
        after={after.description}
      />
      <Part
        title="Input schema"
        note={fieldsNote(before, after)}
        before={before && schemaText(before)}
        after={schemaText(after)}
        none="no arguments"
      />
      {hints[0] === hints[1] && before ? null : (
        <Part title="Declared as" before={before && hints[0]} after={hints[1]} none="nothing" />
      )}
    </>
  );
}

interface PartProps {
  title: string;
  note?: string;
  before: string | null;
  after: string;
  none?: string;
}

function Part({ title, note = "", before, after, none = "none" }: PartProps) {
  return (
    <section className="mt-4 first:mt-0">
      <header className="mb-1.5 flex justify-between gap-2">
        <h3 className="text-sm font-medium">{title}</h3>
        <span className="tnum text-xs text-muted">{note}</span>
      </header>
      {before === null || before === after ? (
        <pre className="overflow-x-auto rounded-md border border-border bg-code px-3 py-1.5 font-mono text-xs leading-5 break-words whitespace-pre-wrap">
          {after || <span className="text-muted">{none}</span>}
        </pre>
      ) : (
        <Changes label={`Changes of the ${title.toLowerCase()}`} before={before} after={after} />
      )}
    </section>
  );
}

const LOOKS = { "+": "bg-diff-add", "-": "bg-diff-del", " ": "", "@": "text-subtle" } as const;
const SIGNS = { "+": "+", "-": "−", " ": " ", "@": "" } as const;

/** Lines wrap, because a description is prose; the sign carries the meaning without colour. */
function Changes({ label, before, after }: { label: string; before: string; after: string }) {
  const rows = diffRows(`${before}\n`, `${after}\n`);
  return (
    <ul
      aria-label={label}
      className="overflow-hidden rounded-md border border-border bg-code py-1 font-mono text-xs leading-5"
    >
      {rows.map(({ kind, text, mark, oldLine, newLine }) => (
        <li key={`${kind}${oldLine ?? ""}:${newLine ?? text}`} className={classNames("flex px-2", LOOKS[kind])}>
          <span className="w-4 shrink-0 select-none">{SIGNS[kind]}</span>
          <span className="min-w-0 flex-1 break-words whitespace-pre-wrap">
            {mark ? (
              <>
                {text.slice(0, mark[0])}
                <span className={kind === "+" ? "rounded-xs bg-diff-add-mark" : "rounded-xs bg-diff-del-mark"}>
                  {text.slice(mark[0], mark[1])}
                </span>
                {text.slice(mark[1])}
              </>
            ) : (
              text
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

function schemaText({ schema }: McpDefinition): string {
  return [...schemaLines(schema), restOfSchema(schema)].filter((line) => line !== "").join("\n");
}

function annotationLines(definition: McpDefinition | null): string {
  return Object.entries(definition?.annotations ?? {})
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join("\n");
}

function wordsNote(before: string | undefined, after: string): string {
  if (before === undefined || before === after) return "";
  const difference = changeCounts(after) - changeCounts(before);
  if (difference === 0) return "other words";
  const count = Math.abs(difference);
  return `${difference > 0 ? "+" : "−"}${count} ${count === 1 ? "word" : "words"}`;
}

function changeCounts(text: string): number {
  return text.split(/\s+/u).filter((word) => word !== "").length;
}

function fieldsNote(before: McpDefinition | null, after: McpDefinition): string {
  if (before === null) return "";
  const [old, now] = [schemaLines(before.schema), schemaLines(after.schema)];
  const added = now.filter((line) => !old.includes(line)).length;
  const removed = old.filter((line) => !now.includes(line)).length;
  if (added + removed === 0) return "unchanged";
  return [added > 0 ? `${added} new or changed` : "", removed > 0 ? `${removed} gone or changed` : ""]
    .filter(Boolean)
    .join(", ");
}
