"use client";
import { useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { CopyButton } from "@/components/ui/controls/copy-button";
import { ScrollArea } from "@/components/ui/scroll-area";
import { classNames } from "@/lib/client/ui/class-names";
import { languageOf } from "@/lib/client/ui/code/languages";
import { useHighlighted } from "@/lib/client/ui/code/use-highlighted";
import { formatCount } from "@/lib/client/ui/text/format";
import { CodeLine } from "./code-line";

/** Lines drawn before the reader asks for all: tens of thousands keep a browser busy for seconds. */
const SHOWN_LINES = 2000;

export interface CodeBlockProps {
  code: string;
  /** File name or language; shown in the head and used for the colours. */
  title?: string;
  /** Without a head, for a card that has its own. */
  isBare?: boolean;
  hasLineNumbers?: boolean;
  wrap?: boolean;
  /** Lines to point out, counted from 1, each with the note at its end. */
  marked?: { readonly lines: readonly number[]; readonly note: string } | undefined;
  className?: string;
}

export function CodeBlock({ code, title = "text", isBare, hasLineNumbers, wrap, marked, className }: CodeBlockProps) {
  const [isWhole, setWhole] = useState(false);
  const all = code.replace(/\n$/u, "").split("\n");
  const shown = isWhole ? all : all.slice(0, SHOWN_LINES);
  const language = languageOf(title);
  const highlighted = useHighlighted(shown.join("\n"), language);
  const lines = shown.map((text, index) => ({ text, number: index + 1, highlighted: highlighted[index] }));
  const lookOf = language === "diff" ? diffLook : undefined;
  const body = (
    <ScrollArea label={`Code, ${title}`} className="bg-code py-2 font-mono text-xs leading-5">
      <pre className={wrap ? "break-words whitespace-pre-wrap" : "min-w-max"}>
        {lines.map((line) => (
          <div
            key={line.number}
            className={classNames(
              "flex px-3",
              marked?.lines.includes(line.number)
                ? "bg-diff-add shadow-[inset_2px_0_0_var(--ok)]"
                : lookOf?.(line.text),
            )}
          >
            {hasLineNumbers ? (
              <span className="tnum mr-3 w-7 shrink-0 text-right text-2xs text-subtle select-none">{line.number}</span>
            ) : null}
            <code className="min-w-0 flex-1">
              <CodeLine text={line.text} highlighted={line.highlighted} />
              {line.text === "" ? "\u200b" : null}
            </code>
            {marked?.lines.includes(line.number) ? (
              <span className="ml-3 shrink-0 font-sans text-ok-text">{marked.note}</span>
            ) : null}
          </div>
        ))}
      </pre>
      {lines.length < all.length ? (
        <Button className="m-3 font-sans" onPress={() => setWhole(true)}>
          Show all {formatCount(all.length)} lines
        </Button>
      ) : null}
    </ScrollArea>
  );
  if (isBare) return <div className={className}>{body}</div>;
  return (
    <figure className={classNames("overflow-hidden rounded-lg border border-border", className)}>
      <figcaption className="flex h-8 items-center justify-between border-b border-separator bg-surface-secondary pr-1 pl-3 font-mono text-2xs text-muted">
        <span className="truncate">{title}</span>
        <CopyButton text={code} label="Copy code" />
      </figcaption>
      {body}
    </figure>
  );
}

/** Added or removed lines have their own background; file headers do not. */
function diffLook(line: string): string | undefined {
  if (/^(?:\+(?!\+\+ )|>)/u.test(line)) return "bg-diff-add";
  return /^(?:-(?!-- )|<)/u.test(line) ? "bg-diff-del" : undefined;
}
