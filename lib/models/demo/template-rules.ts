import { callRound, type DemoResult, type DemoRound, type DemoScript, readJson, resultOf } from "./turn";

const WATCH = /^(?:please\s+)?watch\s+(?:this|the)\s+page\s*:?\s+(https?:\/\/[^\s<>"]+)/i;
const SAVED_AT = /\bin (watch\/[\w.-]+)/;
const BRIEF = /^(?:please\s+)?(?:write|give me|make)\s+(?:my|the|a)\s+morning brief\b/i;
const OPEN_TASK = /^\s*[-*] \[ \] (.+)$/gm;
/** How much of a page is saved, so that its file can be read in one piece. */
const KEPT_CHARS = 6_000;
const SHOWN_LINES = 10;

/** The script for a schedule template, or null: templates are paragraphs, which no other rule may split. */
export function templateScript(text: string): DemoScript | null {
  const address = WATCH.exec(text.trim())?.[1];
  if (address !== undefined) return watchScript(address, SAVED_AT.exec(text)?.[1] ?? "watch/page.md");
  return BRIEF.test(text.trim()) ? briefScript() : null;
}

/** Compares the page with its saved copy and reports only the differences; silent if there are none. */
function watchScript(url: string, path: string): DemoScript {
  return {
    needs: ["web_fetch", "read_file", "write_file"],
    mayFail: new Set([1]),
    rounds: [
      () => callRound({ thought: "First the page as it is now.", say: "" }, "web_fetch", { url }),
      () => callRound({ thought: "Then what I have saved of it.", say: "" }, "read_file", { path }),
      (done) => compare(path, pageOf(resultOf(done, 0)), resultOf(done, 1)),
    ],
    conclude(done) {
      const before = savedOf(resultOf(done, 1));
      const now = linesOf(pageOf(resultOf(done, 0)));
      if (before === null)
        return `From now on I watch ${url}. I have saved its ${count(now.length, "line")} in \`${path}\`.`;
      const gone = before.filter((line) => !now.includes(line));
      const fresh = now.filter((line) => !before.includes(line));
      const lines = [...fresh.map((line) => `+ ${line}`), ...gone.map((line) => `- ${line}`)];
      const more = lines.length > SHOWN_LINES ? [`… and ${lines.length - SHOWN_LINES} more lines`] : [];
      const changes = [...lines.slice(0, SHOWN_LINES), ...more].join("\n");
      return `${url} has changed:\n\n\`\`\`diff\n${changes.replaceAll("```", "'''")}\n\`\`\``;
    },
  };
}

function compare(path: string, page: string, read: DemoResult | undefined): DemoRound {
  const before = savedOf(read);
  if (before !== null && before.join("\n") === linesOf(page).join("\n"))
    return { thought: "Nothing has changed, so I say nothing.", say: "NO_REPLY", calls: [] };
  return callRound({ thought: "I save the page as it is now.", say: "" }, "write_file", { path, content: `${page}\n` });
}

/** The page's own text, between two lines with the same mark. */
function pageOf(fetched: DemoResult | undefined): string {
  const lines = fetched?.text.trimEnd().split("\n") ?? [];
  const mark = lines.at(-1) ?? "";
  const from = lines.indexOf(mark);
  const page = from === -1 || from === lines.length - 1 ? lines : lines.slice(from + 1, -1);
  return page.join("\n").slice(0, KEPT_CHARS).toWellFormed().trim();
}

/** Null if nothing has been saved yet. */
function savedOf(read: DemoResult | undefined): string[] | null {
  return read === undefined || read.isError ? null : linesOf(read.text);
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Reports the open items in tasks.md and the number of files. */
function briefScript(): DemoScript {
  return {
    needs: ["ls", "read_file"],
    mayFail: new Set([1]),
    rounds: [
      () => callRound({ thought: "First what there is.", say: "" }, "ls", { path: "." }),
      () => callRound({ thought: "What is open stands in tasks.md.", say: "" }, "read_file", { path: "tasks.md" }),
    ],
    conclude(done) {
      const entries = readJson(resultOf(done, 0)?.text);
      const files = Array.isArray(entries) ? entries.length : 0;
      const read = resultOf(done, 1);
      const tasks = read && !read.isError ? [...read.text.matchAll(OPEN_TASK)].map(([, task]) => task ?? "") : null;
      return [
        "Good morning.",
        openTasks(tasks),
        `The workspace holds ${files === 1 ? "1 file or folder" : `${files} files and folders`}.`,
      ].join("\n\n");
    },
  };
}

function openTasks(tasks: readonly string[] | null): string {
  if (tasks === null) return "There is no `tasks.md` yet: write one line for each task, such as `- [ ] Call Ada`.";
  if (tasks.length === 0) return "Nothing is open in `tasks.md`.";
  const shown = tasks.slice(0, SHOWN_LINES).map((task) => `- ${task}`);
  return [`${count(tasks.length, "task")} in \`tasks.md\`, not done yet:`, "", ...shown].join("\n");
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
