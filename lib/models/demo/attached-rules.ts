import { ATTACHED_LEAD } from "@/lib/schema/messages/attached-files";
import { codeBlock, type DemoScript, languageOf } from "./turn";

const BLOCK = new RegExp(`(?:^|\\n)${ATTACHED_LEAD}\\n((?:- .+(?:\\n|$))+)\\s*$`, "u");
const MOST_READ = 3;

/** A request without its attached files, and the script that reads them. */
export function takeAttached(text: string): { text: string; script: DemoScript | null } {
  const found = BLOCK.exec(text);
  if (found === null) return { text, script: null };
  const paths = (found[1] ?? "")
    .trim()
    .split("\n")
    .map((line) => line.slice(2).replace(/ \([^()]*\)$/u, ""));
  return { text: text.slice(0, found.index).trim(), script: readAttached(paths) };
}

function readAttached(paths: readonly string[]): DemoScript {
  const read = paths.slice(0, MOST_READ);
  return {
    needs: ["read_file"],
    rounds: [
      () => ({
        thought: "Files came with the message; I read them first.",
        say: "",
        calls: read.map((path) => ({ tool: "read_file", args: { path } })),
      }),
    ],
    conclude(done) {
      const parts = read.map((path, index) => {
        const text = done[0]?.[index]?.text ?? "";
        return `\`${path}\`:\n\n${codeBlock(text, languageOf(path))}`;
      });
      const rest = paths.length - read.length;
      return [...parts, ...(rest > 0 ? [`… and ${rest} more that I did not read.`] : [])].join("\n\n");
    },
  };
}
