import { callRound, type DemoResult, type DemoScript, type DemoTurn, readJson, resultOf } from "./turn";

const WATCH = /^(?:please\s+)?watch\s+(?:this|the)\s+page(?:\s*:)?\s+(https?:\/\/[^\s<>"]+)/i;
const SAVED_AT = /\bin (watch\/[\w.-]+)/;
const BRIEF = /^(?:please\s+)?(?:write|give me|make)\s+(?:my|the|a)\s+morning brief\b/i;
const OPEN_TASK = /^[ \t]*[-*] \[ \] (.+)$/gm;
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
  const tell = (done: DemoTurn["rounds"]) => {
    const before = savedOf(done);
    const now = linesOf(pageOf(resultOf(done, 0)));
    if (before === null)
      return `From now on I watch ${url}. I have saved its ${count(now.length, "line")} in \`${path}\`.`;
    const gone = before.filter((line) => !now.includes(line));
    const fresh = now.filter((line) => !before.includes(line));
    const lines = [...fresh.map((line) => `+ ${line}`), ...gone.map((line) => `- ${line}`)];
    const more = lines.length > SHOWN_LINES ? [`… and ${lines.length - SHOWN_LINES} more lines`] : [];
    const changes = [...lines.slice(0, SHOWN_LINES), ...more].join("\n");
    return `${url} has changed:\n\n\`\`\`diff\n${changes.replaceAll("```", "'''")}\n\`\`\``;
  };
  const save = (done: DemoTurn["rounds"]) =>
    callRound({ thought: "I save the page as it is now.", say: "" }, "write_file", {
      path,
      content: `${pageOf(resultOf(done, 0))}\n`,
    });
  return {
    needs: ["web_fetch", "glob", "read_file", "write_file"],
    rounds: [
      () => callRound({ thought: "First the page as it is now.", say: "" }, "web_fetch", { url }),
      () => callRound({ thought: "Then whether I have saved it before.", say: "" }, "glob", { pattern: path }),
      (done) =>
        isSaved(done) ? callRound({ thought: "I have: I read it.", say: "" }, "read_file", { path }) : save(done),
      (done) => {
        const before = savedOf(done);
        if (before === null) return { thought: "It is saved.", say: tell(done), calls: [] };
        const isSame = before.join("\n") === linesOf(pageOf(resultOf(done, 0))).join("\n");
        if (isSame) return { thought: "Nothing has changed, so I say nothing.", say: "NO_REPLY", calls: [] };
        return save(done);
      },
    ],
    conclude: tell,
  };
}

/** The page's own text, between two lines with the same mark. */
function pageOf(fetched: DemoResult | undefined): string {
  const lines = fetched?.text.trimEnd().split("\n") ?? [];
  const mark = lines.at(-1) ?? "";
  const from = lines.indexOf(mark);
  const page = from === -1 || from === lines.length - 1 ? lines : lines.slice(from + 1, -1);
  return page.join("\n").slice(0, KEPT_CHARS).toWellFormed().trim();
}

function isSaved(done: DemoTurn["rounds"]): boolean {
  const found = readJson(resultOf(done, 1)?.text) as { files?: unknown } | undefined;
  return Array.isArray(found?.files) && found.files.length > 0;
}

/** Null if nothing has been saved yet. */
function savedOf(done: DemoTurn["rounds"]): string[] | null {
  return isSaved(done) ? linesOf(resultOf(done, 2)?.text ?? "") : null;
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Reports the open items in tasks.md and the number of files. */
function briefScript(): DemoScript {
  const tell = (done: DemoTurn["rounds"]) => {
    const entries = entriesOf(done);
    const read = resultOf(done, 1);
    const tasks = read && [...read.text.matchAll(OPEN_TASK)].map(([, task]) => task ?? "");
    return [
      "Good morning.",
      openTasks(tasks ?? null),
      `The workspace holds ${entries.length === 1 ? "1 file or folder" : `${entries.length} files and folders`}.`,
    ].join("\n\n");
  };
  return {
    needs: ["ls", "read_file"],
    rounds: [
      () => callRound({ thought: "First what there is.", say: "" }, "ls", { path: "." }),
      (done) =>
        entriesOf(done).some(({ name }) => name === "tasks.md")
          ? callRound({ thought: "What is open stands in tasks.md.", say: "" }, "read_file", { path: "tasks.md" })
          : { thought: "There is no list of tasks yet.", say: tell(done), calls: [] },
    ],
    conclude: tell,
  };
}

function entriesOf(done: DemoTurn["rounds"]): readonly { readonly name?: unknown }[] {
  // A second line may say that there are more.
  const entries = readJson(resultOf(done, 0)?.text.split("\n")[0]);
  return Array.isArray(entries) ? entries : [];
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
