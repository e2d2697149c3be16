"use client";
import { createContext, type MouseEvent, type ReactNode, useContext, useMemo } from "react";
import { ICON_BUTTON } from "@/components/ui/controls/icon-button";
import { type MarkdownDocument, placed } from "@/lib/client/ui/markdown/markdown";
import type { MarkdownToken } from "@/lib/client/ui/markdown/markdown-extensions";

/** The ids of a text's footnotes, in the order of their letters. */
const FootnoteIds = createContext<readonly string[]>([]);
const NOTE = "data-footnote";
const REFERENCE = "data-footnote-reference";
const FOOTNOTED = "data-footnoted";

interface FootnotedTextProps {
  parsed: MarkdownDocument;
  renderBlocks: (tokens: readonly unknown[]) => ReactNode;
  children: ReactNode;
}

/** A text with its footnotes below it. */
export function FootnotedText({ parsed, renderBlocks, children }: FootnotedTextProps) {
  // A reference is rerendered only when the letters of the notes change.
  const key = JSON.stringify(parsed.footnotes);
  const ids = useMemo(() => JSON.parse(key) as string[], [key]);
  return (
    <FootnoteIds value={ids}>
      <div {...{ [FOOTNOTED]: true }} className="contents">
        {children}
        {ids.length === 0 ? null : <FootnoteList notes={notesOf(parsed.tokens, ids)} renderBlocks={renderBlocks} />}
      </div>
    </FootnoteIds>
  );
}

/** The notes wherever they are defined, in the order of `ids`. */
function notesOf(tokens: readonly MarkdownToken[], ids: readonly string[]): FootnoteToken[] {
  const found = new Map<string, FootnoteToken>();
  const visit = (inner: readonly MarkdownToken[]) => {
    for (const token of inner) {
      if (token.type === "footnote" && !found.has(token.id)) found.set(token.id, token);
      visit(blocksIn(token));
    }
  };
  visit(tokens);
  return ids.flatMap((id) => found.get(id) ?? []);
}

function blocksIn(token: MarkdownToken): readonly MarkdownToken[] {
  if (token.type === "list") return token.items.flatMap((item) => item.tokens as MarkdownToken[]);
  return token.type === "blockquote" || token.type === "details" ? (token.tokens as MarkdownToken[]) : [];
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** a, b, … z, aa, ab, as CSS counts in `lower-alpha`: numbers are those of cited sources. */
function letterOf(index: number): string {
  const before = Math.floor(index / LETTERS.length);
  return `${before === 0 ? "" : letterOf(before - 1)}${LETTERS[index % LETTERS.length]}`;
}

/** The letter of a note, linked to it; the raw text if there is no such note. */
export function FootnoteReference({ id, raw }: { id: string; raw: string }) {
  const index = useContext(FootnoteIds).indexOf(id);
  if (index === -1) return raw;
  const letter = letterOf(index);
  return (
    <sup className="text-2xs">
      <button
        type="button"
        {...{ [REFERENCE]: id }}
        aria-label={`Footnote ${letter}`}
        onClick={(event) => goTo(event, NOTE, id)}
        className="px-0.5 text-link underline-offset-2 hover:underline"
      >
        {letter}
      </button>
    </sup>
  );
}

type FootnoteToken = Extract<MarkdownToken, { type: "footnote" }>;

/** Below the text, in the order in which it mentions them. */
function FootnoteList({
  notes,
  renderBlocks,
}: {
  notes: readonly FootnoteToken[];
  renderBlocks: (tokens: readonly unknown[]) => ReactNode;
}) {
  return (
    <section aria-label="Footnotes" className="mt-4 border-t border-separator pt-2 text-sm text-muted">
      <ol className="list-[lower-alpha] space-y-1 ps-6">
        {placed(notes).map(({ place, item }) => (
          <li key={place} tabIndex={-1} {...{ [NOTE]: item.id }} className="[&>p]:my-0 [&>p]:inline">
            {renderBlocks(item.tokens)}{" "}
            <button
              type="button"
              aria-label={`Back to where footnote ${letterOf(place)} is mentioned`}
              onClick={(event) => goTo(event, REFERENCE, item.id)}
              className={`${ICON_BUTTON} size-5 align-middle text-xs`}
            >
              ↩
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Within the same text: two replies may use the same ids. */
function goTo(event: MouseEvent<HTMLElement>, attribute: string, id: string): void {
  const text = event.currentTarget.closest(`[${FOOTNOTED}]`);
  const target = [...(text?.querySelectorAll<HTMLElement>(`[${attribute}]`) ?? [])].find(
    (element) => element.getAttribute(attribute) === id,
  );
  const folded = target?.closest("details");
  if (folded) folded.open = true;
  target?.scrollIntoView({ block: "nearest" });
  target?.focus({ preventScroll: true });
}
