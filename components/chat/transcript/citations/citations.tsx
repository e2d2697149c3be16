"use client";
import { ExternalLink } from "lucide-react";
import { Fragment, type ReactNode, useState } from "react";
import { Dialog } from "@/components/ui/overlays/dialog";
import { findPassage, pageText } from "@/lib/client/chat/citations/find-passage";
import type { Source } from "@/lib/client/chat/citations/sources";

const NUMBER = /\[(\d{1,3})\]/u;

/** Replaces each number that names a source with a button; other numbers are left unchanged. */
export function citationDrawer(sources: readonly Source[]): (words: string) => ReactNode {
  const known = new Map(sources.map((source) => [String(source.number), source]));
  return (words) => {
    const parts = words.split(NUMBER);
    if (parts.length === 1) return words;
    return parts.map((part, index) => {
      const source = index % 2 === 1 ? known.get(part) : undefined;
      const place = `${index} ${part}`;
      if (source) return <Citation key={place} source={source} sentence={lastSentence(parts[index - 1] ?? "")} />;
      return <Fragment key={place}>{index % 2 === 1 ? `[${part}]` : part}</Fragment>;
    });
  };
}

const SENTENCE_CHARS = 400;

/** The text before a number, back to the end of the previous sentence. */
function lastSentence(words: string): string {
  const sentences = words
    .slice(-SENTENCE_CHARS)
    .trim()
    .split(/(?<=[.!?])\s+/u);
  return sentences.at(-1) ?? "";
}

function Citation({ source, sentence }: { source: Source; sentence: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-label={`Source ${source.number}: ${nameOf(source)}`}
        onClick={() => setOpen(true)}
        className="tnum mx-0.5 inline-flex h-4 min-w-4 items-center justify-center rounded-sm bg-default px-1 align-[1px] text-2xs font-medium text-link hover:bg-selection pointer-coarse:min-h-6 pointer-coarse:min-w-6"
      >
        {source.number}
      </button>
      {isOpen ? <SourceDialog source={source} sentence={sentence} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** The pages that a reply is based on. */
export function SourceList({ sources }: { sources: readonly Source[] }) {
  const [open, setOpen] = useState<Source | null>(null);
  return (
    <section aria-label="Sources" className="mb-2 ml-9">
      <p className="pb-1 text-xs text-muted">Sources</p>
      <ol className="flex flex-wrap gap-1.5">
        {sources.map((source) => (
          <li key={source.number} className="max-w-full min-w-0">
            <button
              type="button"
              onClick={() => setOpen(source)}
              className="flex h-6 max-w-full min-w-0 items-center gap-1.5 rounded-sm border border-border px-2 text-xs touch-row hover:bg-default"
            >
              <span className="tnum shrink-0 font-medium text-link">{source.number}</span>
              <span className="min-w-0 truncate">{nameOf(source)}</span>
              <span className="shrink-0 text-muted">{hostOf(source.url)}</span>
            </button>
          </li>
        ))}
      </ol>
      {open === null ? null : <SourceDialog source={open} sentence="" onClose={() => setOpen(null)} />}
    </section>
  );
}

interface SourceDialogProps {
  source: Source;
  /** The sentence of the reply before the number. */
  sentence: string;
  onClose: () => void;
}

/** The passage as the model read it, with the words that the reply took from it. */
function SourceDialog({ source, sentence, onClose }: SourceDialogProps) {
  const { before, marked, after } = findPassage(pageText(source.output), sentence);
  return (
    <Dialog title={`Source ${source.number}: ${nameOf(source)}`} isOpen onClose={onClose} size="lg">
      <p className="pb-3 text-xs">
        <a
          href={source.url}
          target="_blank"
          rel="noopener noreferrer nofollow"
          className="inline-flex max-w-full items-center gap-1 break-all text-link hover:underline"
        >
          {source.url}
          <ExternalLink className="size-3.5 shrink-0" aria-hidden />
        </a>
      </p>
      <blockquote className="border-l-2 border-border-strong pl-3 text-sm break-words whitespace-pre-wrap">
        {before}
        {marked === "" ? null : <mark className="rounded-xs bg-selection text-foreground">{marked}</mark>}
        {after}
      </blockquote>
      {marked === "" && sentence !== "" ? (
        <p className="pt-3 text-xs text-muted">The reply doesn't quote this page. This is how the page begins.</p>
      ) : null}
    </Dialog>
  );
}

function nameOf({ title, url }: Source): string {
  return title ?? hostOf(url);
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
