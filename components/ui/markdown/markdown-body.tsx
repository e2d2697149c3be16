import dynamic from "next/dynamic";
import { Fragment, memo, type ReactNode, use, useEffect, useMemo, useState } from "react";
import { CodeBlock } from "@/components/ui/code/code-block";
import { ScrollArea } from "@/components/ui/scroll-area";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { loadMarkCloser, placed, visibleHtml } from "@/lib/client/ui/markdown/markdown";
import type { MarkdownToken } from "@/lib/client/ui/markdown/markdown-extensions";
import { MarkdownReader } from "@/lib/client/ui/markdown/markdown-reader";
import { mayHaveMath, withoutOpenFormula } from "@/lib/client/ui/markdown/open-formula";
import { wasRead } from "@/lib/client/ui/markdown/read-ahead";
import { DocumentContext } from "./document-context";
import { beforeExtras, canDraw, loadExtras, markdownExtras, needsExtras } from "./load-extras";
import type { MarkdownProps } from "./markdown";
import { MarkdownInline, TaskBox } from "./markdown-inline";

export function MarkdownBody({ text, isStreaming = false }: MarkdownProps) {
  const { extras, isReady } = useExtras(text);
  const [reader] = useState(() => new MarkdownReader());
  const parsed = useMemo(() => {
    const drawable = isReady ? text : beforeExtras(text);
    const whole = isStreaming ? withoutOpenFormula(drawable) : drawable;
    const known = isStreaming || extras !== null ? undefined : wasRead(whole);
    return known ?? reader.read(whole, isStreaming, extras?.markdownExtensions);
  }, [reader, text, isStreaming, extras, isReady]);
  useEffect(() => {
    if (isStreaming) void loadMarkCloser();
  }, [isStreaming]);
  if (parsed === null) return <div className="text-base break-words whitespace-pre-wrap">{text}</div>;
  const blocks = placed(parsed.pieces).map(({ place, item }) => (
    <Piece key={place} tokens={item} definitions={parsed.definitions} />
  ));
  const Footnoted = extras?.FootnotedText;
  return (
    <div className="text-base text-pretty break-words [&_:is(p,li,h2,h3,td,th)]:[unicode-bidi:plaintext]">
      {Footnoted === undefined ? (
        blocks
      ) : (
        <Footnoted
          parsed={parsed}
          renderBlocks={(tokens) => <Blocks tokens={tokens} definitions={parsed.definitions} />}
        >
          {blocks}
        </Footnoted>
      )}
    </div>
  );
}

/** How long a text is held back for the code that draws its formulas. */
const MOST_WAITED_MS = 3_000;

/**
 * The code for math and the like. A text that may need it is ready once it is there: until then, what comes before its
 * first formula is shown, so that nobody sees how it is written, and nothing moves when it is drawn.
 */
function useExtras(text: string) {
  const isNeeded = needsExtras(text);
  const isThere = !isNeeded || canDraw(text);
  const hasMath = mayHaveMath(text);
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    if (isThere) return;
    let isGone = false;
    const settle = () => isGone || setSettled(true);
    const timer = setTimeout(settle, MOST_WAITED_MS);
    void loadExtras(hasMath).then(settle);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [isThere, hasMath]);
  return { extras: isNeeded ? markdownExtras() : null, isReady: isThere || isSettled };
}

interface BlockProps {
  token: MarkdownToken;
  definitions: string;
}

/** While a text streams, only its last block is new. */
const Block = memo(
  ({ token, definitions }: BlockProps) => block(token, definitions),
  (before, after) => before.token.raw === after.token.raw && before.definitions === after.definitions,
);

function block(token: MarkdownToken, definitions: string): ReactNode {
  switch (token.type) {
    case "paragraph":
      return (
        <p className="my-2 first:mt-0 last:mb-0">
          <MarkdownInline tokens={token.tokens} />
        </p>
      );
    case "text":
      return <MarkdownInline tokens={token.tokens ?? [token]} />;
    case "heading":
      return <Heading token={token} />;
    case "code":
      return <Code token={token} />;
    case "list":
      return <List token={token} definitions={definitions} />;
    case "table":
      return <Table token={token} />;
    case "blockquote":
      return (
        <blockquote dir="auto" className="my-2 border-s-2 border-border-strong ps-3 text-muted">
          <Blocks tokens={token.tokens} definitions={definitions} />
        </blockquote>
      );
    case "hr":
      return <hr className="my-4 border-separator" />;
    case "html":
      return <HtmlText html={token.text} />;
    case "checkbox":
      return <TaskBox isDone={token.checked} />;
    case "math":
    case "details":
      return markdownExtras()?.drawExtra(token, {
        words: (tokens) => <MarkdownInline tokens={tokens} />,
        blocks: (tokens) => <Blocks tokens={tokens} definitions={definitions} />,
      });
    case "space":
    case "def":
    case "footnote":
      return null;
    default:
      return token.raw;
  }
}

const DiagramCard = dynamic(async () => (await loadWithRetry(() => import("./diagram-card"))).DiagramCard, {
  loading: () => null,
});
const CLOSED = /\n[ \t]*(?:`{3,}|~{3,})[ \t]*$/u;

function Code({ token }: { token: Extract<MarkdownToken, { type: "code" }> }) {
  const title = /^\S+/u.exec(token.lang ?? "")?.[0] ?? "text";
  // While it is still being written it is shown as source, not drawn.
  if (title === "mermaid" && CLOSED.test(token.raw)) return <DiagramCard source={token.text} />;
  return <CodeBlock code={token.text} title={title} className="my-3" />;
}

/** Several blocks of a long text: while it streams, only the last piece is rerendered. */
const Piece = memo(Blocks);

/** Also those inside a quotation or a list item. */
function Blocks({ tokens, definitions }: { tokens: readonly unknown[]; definitions: string }) {
  return placed(tokens).map(({ place, item }) => (
    <Block key={place} token={item as MarkdownToken} definitions={definitions} />
  ));
}

function HtmlText({ html }: { html: string }) {
  const text = visibleHtml(html).trim();
  return text === "" ? null : <p className="my-2 whitespace-pre-wrap first:mt-0 last:mb-0">{text}</p>;
}

const SIZES = ["text-lg", "text-lg", "text-base", "text-base", "text-sm", "text-sm"];

/** Headings keep their size but not their rank: a reply may start with any, and the page must not skip one. */
function Heading({ token }: { token: Extract<MarkdownToken, { type: "heading" }> }) {
  const Rank = token.depth <= 3 ? "h2" : "h3";
  return (
    <Rank
      id={use(DocumentContext)?.anchorOf(token.text)}
      className={`mt-4 mb-1.5 font-semibold first:mt-0 ${SIZES[token.depth - 1]}`}
    >
      <MarkdownInline tokens={token.tokens} />
    </Rank>
  );
}

function List({ token, definitions }: { token: Extract<MarkdownToken, { type: "list" }>; definitions: string }) {
  const items = placed(token.items).map(({ place, item }) => (
    <li key={place} className={item.task ? "-ms-5 list-none [&>p]:my-0" : "[&>p]:my-0"}>
      <Blocks tokens={item.tokens} definitions={definitions} />
    </li>
  ));
  if (!token.ordered) {
    return (
      <ul dir="auto" className="my-2 list-disc space-y-1 ps-5 marker:text-subtle">
        {items}
      </ul>
    );
  }
  return (
    <ol
      dir="auto"
      start={token.start === "" ? undefined : token.start}
      className="tnum my-2 list-decimal space-y-1 ps-6 marker:text-subtle"
    >
      {items}
    </ol>
  );
}

function Table({ token }: { token: Extract<MarkdownToken, { type: "table" }> }) {
  const cells = (row: typeof token.header, look: string, Cell: "th" | "td") => (
    <tr className="border-b border-separator">
      {placed(row).map(({ place, item: cell }) => (
        <Cell key={place} style={cell.align ? { textAlign: cell.align } : undefined} className={look}>
          <MarkdownInline tokens={cell.tokens} />
        </Cell>
      ))}
    </tr>
  );
  return (
    <ScrollArea label="Table" className="scroll-hint my-3 pb-1">
      <table className="w-max max-w-none border-collapse text-sm">
        <thead>
          {cells(token.header, "h-8 border-b border-border pr-4 text-start text-xs font-medium text-muted", "th")}
        </thead>
        <tbody>
          {placed(token.rows).map(({ place, item }) => (
            <Fragment key={place}>{cells(item, "tnum max-w-96 py-1.5 pr-4 align-top", "td")}</Fragment>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}
