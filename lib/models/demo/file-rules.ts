import { contentFor, describeContent } from "./file-content";
import { FILE, unquote } from "./request";
import { callRound, cell, codeBlock, type DemoScript, languageOf, readJson, resultOf } from "./turn";

const CREATE = new RegExp(
  String.raw`^(?:create|write|make|add|generate|save)\s+(?:me\s+)?(?:an?\s+|the\s+)?(?:new\s+|small\s+|simple\s+)*(?:[a-z]+\s+)?(?:file|script|program|document)?\s*(?:called|named)?\s*${FILE}([\s\S]*)$`,
  "i",
);
/** Matches "write a poem to …", which asks for text that rules cannot write. */
const WRITE_TO = new RegExp(
  String.raw`^(?:write|save|put)\s+(?!(?:an?|some|the)\s)([\s\S]+?)\s+(?:to|into|in)\s+(?:the\s+)?(?:file\s+)?${FILE}[.!]?$`,
  "i",
);
const REPLACE_IN = new RegExp(
  String.raw`^(?:replace|change|edit|rename)\s+([\s\S]+?)\s+(?:with|to|by|into)\s+([\s\S]+?)\s+in\s+(?:the\s+)?(?:file\s+)?${FILE}[.!]?$`,
  "i",
);
const IN_REPLACE = new RegExp(
  String.raw`^(?:in|edit|change)\s+(?:the\s+)?(?:file\s+)?${FILE}\s*[,:]?\s*(?:and\s+)?(?:replace|change|set)?\s+([\s\S]+?)\s+(?:with|to|by|into)\s+([\s\S]+)$`,
  "i",
);
const LIST =
  /^(?:(?:list|show)\s+(?:me\s+)?(?:all\s+)?(?:the\s+|my\s+)?(?:files|workspace|directory|folder)|ls|dir|what files (?:are there|do (?:i|you|we) have)|which files (?:are there|exist))\b\s*(?:(?:in|of|under|here)\s*)?(?:the\s+)?(?:folder\s+|directory\s+)?["'`]?([\w@+./-]*)["'`]?[.?!]?$/i;
const READ = new RegExp(
  String.raw`^(?:read|show|open|cat|display|print|view)\s+(?:me\s+)?(?:the\s+)?(?:contents?\s+of\s+)?(?:the\s+)?(?:file\s+)?${FILE}(?:\s+(?:to me|back|again))?[.?!]?$`,
  "i",
);
const SEARCH =
  /^(?:search(?:\s+for)?|grep|look\s+for|find)\s+(?!an?\s|(?:the\s+)?(?:web|internet|net)\b)(?:the\s+)?(?:text\s+|word\s+|all\s+|lines\s+with\s+)?(\S[\s\S]*?)(?:\sin\s+(?:the\s+|all\s+|my\s+)?(?:files|workspace|project|code|["'`]?([\w@+./-]+)["'`]?))?[.?!]?$/i;
const FIND_FILES =
  /^(?:find|search for|list)\s+(?:all\s+)?(?:the\s+)?(?:files\s+(?:named|called|matching|like)\s+|["'`]?(?=\*))["'`]?([\w*?@+./{},-]+)["'`]?(?:\s+files)?[.?!]?$/i;

const NAMELESS =
  /^(?:create|write|make|generate)\s+(?:me\s+)?an?\s+(?:new\s+|small\s+|simple\s+)*(python|javascript|node|shell|bash|html|text|markdown)\s+(?:script|program|file|page|document)(\s+(?:that|which|with|containing)\s[\s\S]+)?$/i;
const NAMES: Readonly<Record<string, string>> = {
  python: "hello.py",
  javascript: "hello.js",
  node: "hello.js",
  shell: "hello.sh",
  bash: "hello.sh",
  html: "hello.html",
  text: "hello.txt",
  markdown: "hello.md",
};

const CREATE_MANY = new RegExp(
  String.raw`^(?:create|make|add)\s+(?:the\s+)?(?:files\s+)?(${FILE}(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+)${FILE})+)[.!]?$`,
  "i",
);

type Rule = readonly [RegExp, (groups: readonly string[], offered: ReadonlySet<string>) => DemoScript];

const RULES: readonly Rule[] = [
  [WRITE_TO, ([, text = "", path = ""], offered) => createScript(path, contentFor(path, exact(text)), offered)],
  [
    NAMELESS,
    ([, kind = "", rest = ""], offered) => {
      const path = NAMES[kind.toLowerCase()] ?? "hello.txt";
      return createScript(path, contentFor(path, describeContent(rest)), offered);
    },
  ],
  [
    CREATE_MANY,
    ([, files = ""]) => createManyScript([...files.matchAll(new RegExp(FILE, "g"))].map(([, path = ""]) => path)),
  ],
  [CREATE, ([, path = "", rest = ""], offered) => createScript(path, contentFor(path, describeContent(rest)), offered)],
  [REPLACE_IN, ([, oldText = "", newText = "", path = ""]) => editScript(path, unquote(oldText), unquote(newText))],
  [IN_REPLACE, ([, path = "", oldText = "", newText = ""]) => editScript(path, unquote(oldText), unquote(newText))],
  [LIST, ([, path]) => listScript(path || ".")],
  [READ, ([, path = ""]) => readScript(path)],
  [FIND_FILES, ([, pattern = "*"]) => globScript(pattern)],
  [SEARCH, ([, needle = "", path]) => searchScript(unquote(needle), path)],
];

/** The script for a request about files, or null. */
export function fileScript(text: string, offered: ReadonlySet<string>): DemoScript | null {
  for (const [pattern, toScript] of RULES) {
    const match = pattern.exec(text);
    if (match) return toScript(match, offered);
  }
  return null;
}

function exact(text: string) {
  return { kind: "exact", text: unquote(text) } as const;
}

function createScript(path: string, content: string, offered: ReadonlySet<string>): DemoScript {
  const write = () =>
    callRound(
      { thought: `The user wants the file ${path}. I write it with write_file.`, say: `I'll write \`${path}\`.` },
      "write_file",
      { path, content },
    );
  const check = () =>
    callRound({ thought: `I read ${path} back to be sure of what is in it.`, say: "" }, "read_file", { path });
  return {
    needs: ["write_file"],
    rounds: offered.has("read_file") ? [write, check] : [write],
    conclude(done) {
      const stored = resultOf(done, 1)?.text ?? content;
      return `\`${path}\` is written${done.length > 1 ? " and read back" : ""}:\n\n${codeBlock(stored, languageOf(path))}`;
    },
  };
}

function createManyScript(paths: readonly string[]): DemoScript {
  return {
    needs: ["write_file"],
    rounds: [
      () => ({
        thought: "The files do not depend on each other, so I write them at the same time.",
        say: `I'll write ${paths.length} files.`,
        calls: paths.map((path) => ({
          tool: "write_file",
          args: { path, content: contentFor(path, { kind: "sample" }) },
        })),
      }),
    ],
    conclude: () => `Written:\n\n${paths.map((path) => `- \`${path}\``).join("\n")}`,
  };
}

function editScript(path: string, oldText: string, newText: string): DemoScript {
  return {
    needs: ["edit_file"],
    rounds: [
      () =>
        callRound(
          {
            thought: `The user wants a change in ${path}; edit_file replaces the first occurrence.`,
            say: `I'll change \`${path}\`.`,
          },
          "edit_file",
          { path, old_text: oldText, new_text: newText },
        ),
    ],
    conclude: () => `Done: in \`${path}\`\n\n${codeBlock(`- ${oldText}\n+ ${newText}`, "diff")}`,
  };
}

function listScript(path: string): DemoScript {
  return {
    needs: ["ls"],
    rounds: [
      () => callRound({ thought: "The user wants to see the files; ls lists a folder.", say: "" }, "ls", { path }),
    ],
    conclude(done) {
      const entries = readJson(resultOf(done, 0)?.text);
      if (!Array.isArray(entries))
        return `This is what \`ls\` answered:\n\n${codeBlock(resultOf(done, 0)?.text ?? "")}`;
      const place = path === "." ? "the workspace" : `\`${path}\``;
      if (entries.length === 0) return `There are no files in ${place} yet. Try "Create hello.py with print('Hello')".`;
      const rows = entries.slice(0, 50).map((entry: Record<string, unknown>) => {
        const size = entry.type === "dir" ? "" : `${entry.size ?? ""}`;
        return `| \`${cell(String(entry.name))}\` | ${cell(String(entry.type))} | ${size} |`;
      });
      const more = entries.length > 50 ? `\n\n… and ${entries.length - 50} more.` : "";
      return [`Files in ${place}:`, "", "| Name | Type | Bytes |", "| --- | --- | ---: |", ...rows].join("\n") + more;
    },
  };
}

function readScript(path: string): DemoScript {
  return {
    needs: ["read_file"],
    rounds: [() => callRound({ thought: `The user wants to see ${path}.`, say: "" }, "read_file", { path })],
    conclude: (done) => `\`${path}\`:\n\n${codeBlock(resultOf(done, 0)?.text ?? "", languageOf(path))}`,
  };
}

function globScript(pattern: string): DemoScript {
  return {
    needs: ["glob"],
    rounds: [
      () => callRound({ thought: `The user looks for files by name: ${pattern}.`, say: "" }, "glob", { pattern }),
    ],
    conclude(done) {
      const found = readJson(resultOf(done, 0)?.text) as { files?: unknown } | undefined;
      if (!Array.isArray(found?.files)) return codeBlock(resultOf(done, 0)?.text ?? "");
      if (found.files.length === 0) return `No file matches \`${pattern}\`.`;
      return `Files that match \`${pattern}\`:\n\n${found.files.map((file) => `- \`${file}\``).join("\n")}`;
    },
  };
}

function searchScript(needle: string, path: string | undefined): DemoScript {
  const pattern = needle.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return {
    needs: ["grep"],
    rounds: [
      () =>
        callRound({ thought: `The user looks for "${needle}"; grep searches the files.`, say: "" }, "grep", {
          pattern,
          ...(path ? { path } : {}),
        }),
    ],
    conclude(done) {
      const found = readJson(resultOf(done, 0)?.text) as { matches?: unknown } | undefined;
      if (!Array.isArray(found?.matches)) return codeBlock(resultOf(done, 0)?.text ?? "");
      if (found.matches.length === 0) return `Nothing matches "${needle}".`;
      const rows = found.matches
        .slice(0, 30)
        .map((match) => `| \`${cell(match.file)}\` | ${match.line} | ${cell(match.text)} |`);
      const count = `${found.matches.length} ${found.matches.length === 1 ? "line has" : "lines have"} "${needle}":`;
      return [count, "", "| File | Line | Text |", "| --- | ---: | --- |", ...rows].join("\n");
    },
  };
}
