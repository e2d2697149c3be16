import { highlightLine, type TokenLook } from "@/lib/client/ui/highlight";

const LOOKS: Record<TokenLook, string> = {
  key: "text-code-key",
  string: "text-code-string",
  number: "text-code-number",
  comment: "text-code-comment",
  fn: "text-code-fn",
  plain: "",
};

/** One coloured line; `language` as `languageOf` names it. */
export function CodeLine({ text, language }: { text: string; language: string }) {
  let offset = 0;
  return (
    <>
      {highlightLine(text, language).map((token) => {
        const key = offset;
        offset += token.text.length;
        return token.look === "plain" ? (
          token.text
        ) : (
          <span key={key} className={LOOKS[token.look]}>
            {token.text}
          </span>
        );
      })}
    </>
  );
}
