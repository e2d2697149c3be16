import { memo } from "react";
import type { CodeToken, HighlightedLine, TokenLook } from "@/lib/client/ui/code/code-token";

const LOOKS: Record<TokenLook, string> = {
  key: "text-code-key",
  string: "text-code-string",
  number: "text-code-number",
  comment: "text-code-comment",
  fn: "text-code-fn",
  added: "text-ok-text",
  removed: "text-fail-text",
  plain: "",
};

export interface CodeLineProps {
  text: string;
  /** The line's colours; ignored if its text differs. */
  highlighted?: HighlightedLine;
}

/** One line of code, coloured if its colours are known. */
export const CodeLine = memo(function CodeLine({ text, highlighted }: CodeLineProps) {
  return highlighted?.text === text ? <CodeTokens tokens={highlighted.tokens} /> : text;
});

export function CodeTokens({ tokens }: { tokens: readonly CodeToken[] }) {
  let offset = 0;
  return tokens.map(({ text, look }) => {
    const key = offset;
    offset += text.length;
    if (look === "plain") return text;
    return (
      <span key={key} className={LOOKS[look]}>
        {text}
      </span>
    );
  });
}
