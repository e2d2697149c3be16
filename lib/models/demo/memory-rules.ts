import { unquote } from "./request";
import { callRound, codeBlock, type DemoResult, type DemoRound, type DemoScript, resultOf } from "./turn";

const REMEMBER = /^(?:remember|note|keep in mind|memorize)(?:\s+(?:that|this))?\s*:?\s+([\s\S]+?)$/i;
const RECALL = /^what do you (?:remember|know)(?:\s+about\b[\s\S]*)?[?.]?$/i;
const PATH = "AGENTS.md";

/** The script for "Remember …" or "what do you remember", or null. */
export function memoryScript(text: string): DemoScript | null {
  const remember = REMEMBER.exec(text);
  if (remember) return rememberScript(unquote(remember[1] ?? "").replace(/\s+/g, " "));
  return RECALL.test(text) ? recallScript() : null;
}

function rememberScript(fact: string): DemoScript {
  return {
    needs: ["read_file", "write_file"],
    mayFail: new Set([0]),
    rounds: [
      () =>
        callRound(
          { thought: `${PATH} is my memory. I read it before I add something.`, say: "I'll note that." },
          "read_file",
          { path: PATH },
        ),
      (done) => addFact(fact, resultOf(done, 0)),
    ],
    conclude: () =>
      `I noted it in \`${PATH}\`:\n\n> ${fact}\n\nAn agent whose \`memory.paths\` has this file reads it at the start of every run.`,
  };
}

function addFact(fact: string, read: DemoResult | undefined): DemoRound {
  const line = `- ${fact}`;
  const note = { thought: "Nothing in it may be lost, so I only add a line.", say: "" };
  const known = read && !read.isError ? read.text : "";
  if (known.trim() === "") {
    const content = `# Notes\n\n${line}\n`;
    return callRound({ ...note, thought: `${PATH} does not exist yet, so I begin it.` }, "write_file", {
      path: PATH,
      content,
    });
  }
  return callRound(note, "write_file", { path: PATH, content: `${known.trimEnd()}\n${line}\n` });
}

function recallScript(): DemoScript {
  return {
    needs: ["read_file"],
    mayFail: new Set([0]),
    rounds: [
      () => callRound({ thought: `What I was told to remember is in ${PATH}.`, say: "" }, "read_file", { path: PATH }),
    ],
    conclude(done) {
      const read = resultOf(done, 0);
      if (!read || read.isError || read.text.trim() === "")
        return 'Nothing yet. Say "remember that …" and I write it down.';
      return `\`${PATH}\` says:\n\n${codeBlock(read.text, "md")}`;
    },
  };
}
