import { escapeHtml } from "@/lib/schema/escape-html";
import { capitalize, unquote } from "./request";
import { languageOf } from "./turn";

const PRINTERS: ReadonlyMap<string, (text: string) => string> = new Map([
  ["py", (text: string) => `print(${JSON.stringify(text)})\n`],
  ["js", (text) => `console.log(${JSON.stringify(text)});\n`],
  ["mjs", (text) => `console.log(${JSON.stringify(text)});\n`],
  ["ts", (text) => `console.log(${JSON.stringify(text)});\n`],
  ["rb", (text) => `puts ${JSON.stringify(text)}\n`],
  ["sh", (text) => `#!/bin/sh\necho ${shellQuote(text)}\n`],
  [
    "html",
    (text) =>
      `<!doctype html>\n<html lang="en">\n<title>${escapeHtml(text)}</title>\n<h1>${escapeHtml(text)}</h1>\n</html>\n`,
  ],
]);

/** The content to write for a description: the given text, a program that prints it, or a short sample. */
export function contentFor(path: string, described: FileDescription): string {
  if (described.kind === "exact") return endWithNewline(described.text);
  const text = described.kind === "prints" ? described.text : `Hello from ${path}`;
  const printer = PRINTERS.get(languageOf(path));
  if (printer) return printer(text);
  if (languageOf(path) === "json") return `${JSON.stringify({ message: text }, null, 2)}\n`;
  if (languageOf(path) === "md") return `# ${capitalize(path.replace(/^.*\//, "").replace(/\.md$/, ""))}\n\n${text}\n`;
  return `${text}\n`;
}

export type FileDescription =
  | { readonly kind: "exact"; readonly text: string }
  | { readonly kind: "prints"; readonly text: string }
  | { readonly kind: "sample" };

/** Reads what follows the file's name: `with …`, `containing …`, `that prints …`, a code block, or nothing. */
export function describeContent(rest: string): FileDescription {
  const block = /```[\w+-]*\n([\s\S]*?)\n?```/.exec(rest);
  if (block) return { kind: "exact", text: block[1] ?? "" };
  const prints = /^\s*(?:that|which|to)\s+(?:prints?|says?|shows?|outputs?|writes?)\s+([\s\S]+)$/i.exec(rest);
  if (prints) return { kind: "prints", text: unquote(withoutStop(prints[1] ?? "")) };
  const exact =
    /^\s*(?:with|containing|that contains|which contains|that says|holding)\s+(?:the\s+)?(?:(?:text|content|contents|line|words|code)\b\s*:?\s*)?([\s\S]+)$/i.exec(
      rest,
    ) ?? /^\s*:\s*([\s\S]+)$/.exec(rest);
  if (exact) return { kind: "exact", text: unquote(exact[1] ?? "") };
  return { kind: "sample" };
}

function endWithNewline(text: string): string {
  return text.endsWith("\n") || text === "" ? text : `${text}\n`;
}

function withoutStop(text: string): string {
  return text.trim().replace(/[.!]$/, "");
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
