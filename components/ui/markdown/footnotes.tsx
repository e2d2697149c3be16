"use client";
import { createContext, type MouseEvent, type ReactNode, useContext } from "react";
import { ICON_BUTTON } from "@/components/ui/controls/icon-button";
import { placed } from "@/lib/client/ui/markdown/markdown";
import type { MarkdownToken } from "@/lib/client/ui/markdown/markdown-extensions";

/** The ids of a text's footnotes, in the order of their numbers. */
export const FootnoteIds = createContext<readonly string[]>([]);
const NOTE = "data-footnote";
const REFERENCE = "data-footnote-reference";
export const FOOTNOTED = "data-footnoted";

/** The number of a note, which leads to it; what stands there when the text has no such note. */
export function FootnoteReference({ id, raw }: { id: string; raw: string }) {
  const number = useContext(FootnoteIds).indexOf(id) + 1;
  if (number === 0) return raw;
  return (
    <sup className="text-2xs">
      <button
        type="button"
        {...{ [REFERENCE]: id }}
        aria-label={`Footnote ${number}`}
        onClick={(event) => goTo(event, NOTE, id)}
        className="px-0.5 text-link underline-offset-2 hover:underline"
      >
        {number}
      </button>
    </sup>
  );
}

export type FootnoteToken = Extract<MarkdownToken, { type: "footnote" }>;

/** Below the text, in the order in which it mentions them. */
export function FootnoteList({
  notes,
  renderBlocks,
}: {
  notes: readonly FootnoteToken[];
  renderBlocks: (tokens: readonly unknown[]) => ReactNode;
}) {
  return (
    <section aria-label="Footnotes" className="mt-4 border-t border-separator pt-2 text-sm text-muted">
      <ol className="tnum list-decimal space-y-1 ps-6">
        {placed(notes).map(({ place, item }) => (
          <li key={place} tabIndex={-1} {...{ [NOTE]: item.id }} className="[&>p]:my-0 [&>p]:inline">
            {renderBlocks(item.tokens)}{" "}
            <button
              type="button"
              aria-label={`Back to where footnote ${place + 1} is mentioned`}
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
