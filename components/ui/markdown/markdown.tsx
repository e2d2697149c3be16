"use client";
import { memo, useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { formatCount } from "@/lib/client/ui/text/format";
import { MarkdownBody } from "./markdown-body";

/** Formatting more than this takes a browser seconds, and nobody reads it in a chat. */
const LONGEST_FORMATTED = 400_000;
/** How much of a longer text is shown before the reader asks for all of it. */
const SHOWN_OF_LONG = 20_000;

export interface MarkdownProps {
  text: string;
  /** More is coming: unfinished marks at the end are closed for display. */
  isStreaming?: boolean;
}

/** Markdown from untrusted text: no HTML, no images from elsewhere, links open outside. */
export const Markdown = memo(function Markdown({ text, isStreaming = false }: MarkdownProps) {
  if (text.length > LONGEST_FORMATTED) return <LongText text={text} />;
  return <MarkdownBody text={text} isStreaming={isStreaming} />;
});

const PLAIN = "text-base break-words whitespace-pre-wrap";

/** A text of a size that no person writes: its start as plain text, the rest on request. */
function LongText({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  return (
    <>
      <div className={PLAIN}>{isWhole ? text : text.slice(0, SHOWN_OF_LONG)}</div>
      {isWhole ? null : (
        <p className="mt-2 flex flex-wrap items-center gap-2 text-sm text-muted">
          This is only the start: {formatCount(text.length)} characters in all, shown without formatting.
          <Button onPress={() => setWhole(true)}>Show all</Button>
        </p>
      )}
    </>
  );
}
