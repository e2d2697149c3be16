const NAMES = {
  javascript: "js jsx mjs cjs javascript",
  typescript: "ts mts cts typescript",
  tsx: "tsx",
  python: "py pyi python",
  json: "json jsonc json5 jsonl webmanifest",
  css: "css",
  scss: "scss less",
  html: "html htm xhtml vue",
  xml: "xml svg xsd xsl plist",
  markdown: "md markdown",
  yaml: "yaml yml",
  toml: "toml",
  properties: "ini env properties cfg conf",
  rust: "rs rust",
  go: "go golang",
  java: "java",
  cpp: "c h cc cpp cxx hpp hxx c++",
  php: "php",
  csharp: "cs csharp c#",
  kotlin: "kt kts kotlin",
  scala: "scala sc",
  dart: "dart",
  swift: "swift",
  ruby: "rb ruby",
  lua: "lua",
  r: "r",
  sql: "sql psql pgsql postgresql mysql sqlite",
  shell: "sh bash zsh shell console dockerignore gitignore",
  powershell: "ps1 powershell",
  dockerfile: "dockerfile",
  diff: "diff patch",
} as const;

/** A language whose grammar can be loaded. */
export type Language = keyof typeof NAMES;

const LANGUAGE_OF = new Map<string, Language>(
  (Object.keys(NAMES) as Language[]).flatMap((language) =>
    NAMES[language].split(" ").map((name) => [name, language] as const),
  ),
);

/** The language of a file by its name, or of a code fence's info string; null if it stays uncoloured. */
export function languageOf(name: string): Language | null {
  const key = name.slice(Math.max(name.lastIndexOf("."), name.lastIndexOf("/")) + 1).toLowerCase();
  return LANGUAGE_OF.get(key) ?? null;
}
