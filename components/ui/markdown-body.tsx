"use client";
import { cloneElement, isValidElement } from "react";
import { type Components, defaultRehypePlugins, Streamdown } from "streamdown";
import { CodeBlock } from "./code-block";
import type { MarkdownProps } from "./markdown";
import { ScrollArea } from "./scroll-area";

/** Everything that is neither a local picture nor a plain link is dropped; `raw` is left out, so HTML never becomes elements. */
const SAFE_PLUGINS = [
  defaultRehypePlugins.sanitize,
  [
    (defaultRehypePlugins.harden as [unknown])[0],
    {
      allowedLinkPrefixes: ["*"],
      allowedImagePrefixes: [],
      allowDataImages: false,
      allowedProtocols: ["http", "https", "mailto"],
      defaultOrigin: "https://invalid.example",
      linkBlockPolicy: "text-only",
      imageBlockPolicy: "text-only",
    },
  ],
].filter(Boolean) as NonNullable<Parameters<typeof Streamdown>[0]["rehypePlugins"]>;

const BLOCK_MARK = { "data-block": "true" } as object;

const HEADING = "mt-4 mb-1.5 font-semibold first:mt-0";

/** Headings keep their size but not their rank: a reply may start with any, and the page must not skip one. */
const COMPONENTS: Components = {
  p: ({ children }) => <p className="my-2 first:mt-0 last:mb-0">{children}</p>,
  h1: ({ children }) => <h2 className={`${HEADING} text-lg`}>{children}</h2>,
  h2: ({ children }) => <h2 className={`${HEADING} text-lg`}>{children}</h2>,
  h3: ({ children }) => <h2 className={`${HEADING} text-base`}>{children}</h2>,
  h4: ({ children }) => <h3 className={`${HEADING} text-base`}>{children}</h3>,
  h5: ({ children }) => <h3 className={`${HEADING} text-sm`}>{children}</h3>,
  h6: ({ children }) => <h3 className={`${HEADING} text-sm`}>{children}</h3>,
  ul: ({ children }) => <ul className="my-2 list-disc space-y-1 pl-5 marker:text-subtle">{children}</ul>,
  ol: ({ children, start }) => (
    <ol start={start} className="tnum my-2 list-decimal space-y-1 pl-6 marker:text-subtle">
      {children}
    </ol>
  ),
  li: ({ children }) => (
    <li className="has-[>input]:-ml-5 has-[>input]:list-none [&>input]:mr-2 [&>input]:align-[-2px] [&>p]:my-0">
      {children}
    </li>
  ),
  input: ({ checked }) => (
    <input type="checkbox" checked={checked === true} disabled aria-label={checked === true ? "Done" : "To do"} />
  ),
  strong: ({ children }) => <strong className="font-semibold">{children}</strong>,
  blockquote: ({ children }) => (
    <blockquote className="my-2 border-l-2 border-border-strong pl-3 text-muted">{children}</blockquote>
  ),
  hr: () => <hr className="my-4 border-separator" />,
  a: ({ children, href }) => (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="text-link underline-offset-2 hover:underline"
    >
      {children}
    </a>
  ),
  img: ({ alt }) => <span className="text-muted">{alt ? `[image: ${alt}]` : "[image]"}</span>,
  inlineCode: ({ children }) => (
    <code className="rounded-sm bg-default px-1 py-px font-mono text-[0.86em] break-words">{children}</code>
  ),
  // The renderer tells a block from a word in a line by this mark.
  pre: ({ children }) => (isValidElement(children) ? cloneElement(children, BLOCK_MARK) : children),
  code: ({ children, className }) => (
    <CodeBlock
      code={textOf(children)}
      title={/language-(\S+)/u.exec(className ?? "")?.[1] ?? "text"}
      className="my-3"
    />
  ),
  table: ({ children }) => (
    <ScrollArea label="Table" className="my-3">
      <table className="w-max max-w-none border-collapse text-sm">{children}</table>
    </ScrollArea>
  ),
  thead: ({ children }) => <thead>{children}</thead>,
  tbody: ({ children }) => <tbody>{children}</tbody>,
  tr: ({ children }) => <tr className="border-b border-separator">{children}</tr>,
  th: ({ children }) => (
    <th className="h-8 border-b border-border pr-4 text-left text-xs font-medium text-muted">{children}</th>
  ),
  td: ({ children }) => <td className="tnum max-w-96 py-1.5 pr-4 align-top">{children}</td>,
};

export function MarkdownBody({ text, isStreaming = false }: MarkdownProps) {
  return (
    <Streamdown
      className="space-y-0 text-base text-pretty break-words"
      mode={isStreaming ? "streaming" : "static"}
      parseIncompleteMarkdown={isStreaming}
      skipHtml
      components={COMPONENTS}
      rehypePlugins={SAFE_PLUGINS}
      controls={false}
      linkSafety={{ enabled: false }}
    >
      {text}
    </Streamdown>
  );
}

function textOf(children: unknown): string {
  if (typeof children === "string") return children;
  if (Array.isArray(children)) return children.map(textOf).join("");
  return isValidElement<{ children?: unknown }>(children) ? textOf(children.props.children) : "";
}
