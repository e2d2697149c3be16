import type { StreamParser } from "@codemirror/streamparser";
import type { Parser } from "@lezer/common";
import type { Highlighter } from "./code-token";
import { highlightStream } from "./highlight-stream";
import { highlightTree } from "./highlight-tree";
import type { Language } from "./languages";

const tree = (parser: Parser) => highlightTree(parser, "code");
const stream = (parser: StreamParser<unknown>) => highlightStream(parser, "code");
const clike = () => import("@codemirror/legacy-modes/mode/clike");
const javascript = async (dialect: string) => tree((await import("@lezer/javascript")).parser.configure({ dialect }));

/** Each grammar is its own chunk, fetched with the first block of its language. */
const LOADERS: Readonly<Record<Language, () => Promise<Highlighter>>> = {
  javascript: () => javascript("jsx"),
  typescript: () => javascript("ts"),
  tsx: () => javascript("ts jsx"),
  python: async () => tree((await import("@lezer/python")).parser),
  json: async () => highlightTree((await import("@lezer/json")).parser, "data"),
  css: async () => highlightTree((await import("@lezer/css")).parser, "data"),
  scss: async () => highlightStream((await import("@codemirror/legacy-modes/mode/css")).sCSS, "data"),
  html: loadHtml,
  xml: async () => tree((await import("@lezer/xml")).parser),
  markdown: loadMarkdown,
  yaml: async () => highlightTree((await import("@lezer/yaml")).parser, "data"),
  toml: async () => highlightStream((await import("@codemirror/legacy-modes/mode/toml")).toml, "data"),
  properties: async () =>
    highlightStream((await import("@codemirror/legacy-modes/mode/properties")).properties, "data"),
  rust: async () => tree((await import("@lezer/rust")).parser),
  go: async () => tree((await import("@lezer/go")).parser),
  java: async () => tree((await import("@lezer/java")).parser),
  cpp: async () => tree((await import("@lezer/cpp")).parser),
  php: loadPhp,
  csharp: async () => stream((await clike()).csharp),
  kotlin: async () => stream((await clike()).kotlin),
  scala: async () => stream((await clike()).scala),
  dart: async () => stream((await clike()).dart),
  swift: async () => stream((await import("@codemirror/legacy-modes/mode/swift")).swift),
  ruby: async () => stream((await import("@codemirror/legacy-modes/mode/ruby")).ruby),
  lua: async () => stream((await import("@codemirror/legacy-modes/mode/lua")).lua),
  r: async () => stream((await import("@codemirror/legacy-modes/mode/r")).r),
  sql: async () => stream((await import("@codemirror/legacy-modes/mode/sql")).pgSQL),
  shell: async () => stream((await import("@codemirror/legacy-modes/mode/shell")).shell),
  powershell: async () => stream((await import("@codemirror/legacy-modes/mode/powershell")).powerShell),
  dockerfile: async () => stream((await import("@codemirror/legacy-modes/mode/dockerfile")).dockerFile),
  diff: async () => stream((await import("@codemirror/legacy-modes/mode/diff")).diff),
};

export function loadHighlighter(language: Language): Promise<Highlighter> {
  return LOADERS[language]();
}

async function loadHtml(): Promise<Highlighter> {
  const [html, script, style] = await Promise.all([
    import("@lezer/html"),
    import("@lezer/javascript"),
    import("@lezer/css"),
  ]);
  const wrap = html.configureNesting([
    { tag: "script", parser: script.parser },
    { tag: "style", parser: style.parser },
  ]);
  return tree(html.parser.configure({ wrap }));
}

async function loadMarkdown(): Promise<Highlighter> {
  const { GFM, parser } = await import("@lezer/markdown");
  return tree(parser.configure(GFM));
}

/** A block in a reply mostly lacks `<?php`, and without it would count as page text. */
async function loadPhp(): Promise<Highlighter> {
  const { parser } = await import("@lezer/php");
  const page = tree(parser);
  const program = tree(parser.configure({ top: "Program" }));
  return (code) => (code.includes("<?") ? page(code) : program(code));
}
