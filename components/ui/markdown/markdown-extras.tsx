import type { ReactNode } from "react";
import { decodeReferences } from "@/lib/client/ui/markdown/markdown";
import type { ExtraToken, MarkdownToken } from "@/lib/client/ui/markdown/markdown-extensions";
import { FootnoteReference } from "./footnotes";
import { MathFormula } from "./math-formula";
import { RemoteImage } from "./remote-image";

/** An image, or an extension's token; `render` draws its contents. */
export function drawExtra(
  token: ExtraToken | Extract<MarkdownToken, { type: "image" }>,
  render: {
    readonly words: (tokens: readonly unknown[]) => ReactNode;
    readonly blocks: (tokens: readonly unknown[]) => ReactNode;
  },
): ReactNode {
  switch (token.type) {
    case "image":
      return <RemoteImage address={decodeReferences(token.href)} words={decodeReferences(token.text)} />;
    case "math":
      return <MathFormula formula={token.text} source={token.raw} isBlock={token.isBlock} isOpen={token.isOpen} />;
    case "footnote-reference":
      return <FootnoteReference id={token.id} raw={token.raw} />;
    case "footnote":
      return null;
    case "details":
      return (
        <details open={token.isOpen} className="my-3 rounded-lg border border-border px-3 py-2">
          <summary className="font-medium touch-row">
            {token.summary.length === 0 ? "Details" : render.words(token.summary)}
          </summary>
          <div className="pt-2">{render.blocks(token.tokens)}</div>
        </details>
      );
  }
}
