"use client";
import { lazy, memo, Suspense } from "react";

const MarkdownBody = lazy(async () => ({ default: (await import("./markdown-body")).MarkdownBody }));

export interface MarkdownProps {
  text: string;
  /** More is coming: unfinished marks at the end are closed for display. */
  isStreaming?: boolean;
}

/** Markdown that nobody checked: no HTML, no images from elsewhere, links open outside. The parser loads on first use. */
export const Markdown = memo(function Markdown({ text, isStreaming = false }: MarkdownProps) {
  return (
    <Suspense fallback={<div className="text-base break-words whitespace-pre-wrap">{text}</div>}>
      <MarkdownBody text={text} isStreaming={isStreaming} />
    </Suspense>
  );
});
