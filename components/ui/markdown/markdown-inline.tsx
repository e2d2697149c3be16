import Link from "next/link";
import { Fragment, type ReactNode, use } from "react";
import { decodeReferences, linkTarget, placed, visibleHtml } from "@/lib/client/ui/markdown/markdown";
import type { MarkdownToken } from "@/lib/client/ui/markdown/markdown-extensions";
import { CitationContext, type DrawCitations } from "./citation-context";
import { DocumentContext } from "./document-context";
import { markdownExtras } from "./load-extras";

const LINE_BREAK = /^<br\s*\/?>$/iu;

/**
 * The inline content of a block. A token's kind decides its element, so nothing that a model writes becomes a different
 * one.
 */
export function MarkdownInline({ tokens }: { tokens: readonly unknown[] | undefined }) {
  const cite = use(CitationContext);
  return placed(tokens ?? []).map(({ place, item }) => (
    <Fragment key={place}>{inline(item as MarkdownToken, cite)}</Fragment>
  ));
}

function inline(token: MarkdownToken, cite: DrawCitations | null): ReactNode {
  switch (token.type) {
    case "text": {
      if (token.tokens) return <MarkdownInline tokens={token.tokens} />;
      const words = decodeReferences(token.text);
      return cite === null ? words : cite(words);
    }
    case "escape":
      return token.text;
    case "strong":
      return (
        <strong className="font-semibold">
          <MarkdownInline tokens={token.tokens} />
        </strong>
      );
    case "em":
      return (
        <em>
          <MarkdownInline tokens={token.tokens} />
        </em>
      );
    case "del":
      return (
        <del>
          <MarkdownInline tokens={token.tokens} />
        </del>
      );
    case "codespan":
      return <code className="rounded-sm bg-default px-1 py-px font-mono text-[0.86em] break-words">{token.text}</code>;
    case "br":
      return <br />;
    case "link":
      return <TextLink token={token} />;
    case "image":
      return (
        markdownExtras()?.drawExtra(token, { words: drawWords, blocks: drawWords }) ?? (
          <span className="text-muted">{token.text ? `[image: ${decodeReferences(token.text)}]` : "[image]"}</span>
        )
      );
    case "math":
    case "footnote-reference":
      return markdownExtras()?.drawExtra(token, { words: drawWords, blocks: drawWords });
    case "html":
      return LINE_BREAK.test(token.text) ? <br /> : visibleHtml(token.text);
    case "checkbox":
      return <TaskBox isDone={token.checked} />;
    default:
      return token.raw;
  }
}

const drawWords = (tokens: readonly unknown[]) => <MarkdownInline tokens={tokens} />;

const LINK = "text-link underline decoration-link/50 underline-offset-2 hover:decoration-link";

function TextLink({ token }: { token: Extract<MarkdownToken, { type: "link" }> }) {
  const href = use(DocumentContext)?.hrefOf(token.href) ?? null;
  if (href === null) return <OutsideLink token={token} />;
  return (
    <Link href={href} className={LINK}>
      <MarkdownInline tokens={token.tokens} />
    </Link>
  );
}

function OutsideLink({ token }: { token: Extract<MarkdownToken, { type: "link" }> }) {
  const target = linkTarget(token.autolink ? token.href : decodeReferences(token.href));
  const words = token.autolink ? token.text : <MarkdownInline tokens={token.tokens} />;
  if (target === null) return words;
  return (
    <a href={target} target="_blank" rel="noopener noreferrer nofollow" className={LINK}>
      {words}
    </a>
  );
}

export function TaskBox({ isDone }: { isDone: boolean }) {
  const label = isDone ? "Done" : "To do";
  return <input type="checkbox" checked={isDone} disabled aria-label={label} className="me-2 align-[-2px]" />;
}
