import { ATTACHED_LEAD } from "@/lib/schema/messages/attached-files";
import { codeBlock, type DemoScript, languageOf } from "./turn";

const BLOCK = new RegExp(`(?:^|\\n)${ATTACHED_LEAD}\\n((?:- .+(?:\\n|$))+)\\s*$`, "u");
const MOST_READ = 3;

/** The files attached to a request. */
export interface Attached {
  readonly script: DemoScript;
  /** Whether a script would only read again what this script reads. */
  readonly covers: (script: DemoScript) => boolean;
}

/**
 * Splits a request into its text, with the paths of the attached files filled in, and the script that reads the files.
 */
export function takeAttached(text: string): { text: string; attached: Attached | null } {
  const found = BLOCK.exec(text);
  if (found === null) return { text, attached: null };
  const paths = (found[1] ?? "")
    .trim()
    .split("\n")
    .map((line) => line.slice(2).replace(/ \([^()]*\)$/u, ""));
  const words = text.slice(0, found.index).trim();
  const covers = ({ rounds }: DemoScript) =>
    rounds.length === 1 &&
    (rounds[0]?.([]).calls ?? []).every(
      ({ tool, args }) => tool === "read_file" && paths.slice(0, MOST_READ).includes(String(args.path)),
    );
  return { text: withPaths(words, paths), attached: { script: readAttached(paths), covers } };
}

/** Replaces the names people use with paths: "notes.txt" may be stored at uploads/notes.txt or uploads/notes-2.txt. */
function withPaths(words: string, paths: readonly string[]): string {
  return paths.reduce((text, path) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    return [name, name.replace(/-\d+(?=\.[^.]*$|$)/u, "")].reduce((known, spelling) => {
      const isName = new RegExp(`(?<![\\w@+./-])${escapeRegExp(spelling)}(?![\\w@+-]|\\.\\w)`, "gu");
      return spelling === "" ? known : known.replace(isName, () => path);
    }, text);
  }, words);
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&");
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
