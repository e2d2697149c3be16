import type { ReplaySandbox } from "@/lib/schema/traces/replay";
import type { ReplayTools } from "@/lib/schema/traces/replay-tools";

const POLICY_SENTENCES: Readonly<Record<ReplayTools["default"], string>> = {
  recorded: "Each call gets its recorded result.",
  sandbox:
    "File tools and fenced-in commands really run, without network; what reaches further keeps its recorded result.",
  live: "Every tool really runs, with your rights and sign-ins.",
  ask: "Every call waits for you in the inbox before it really runs.",
};

/** What may be chosen for a single tool. */
export const POLICY_NAMES = {
  recorded: "Recorded",
  sandbox: "Sandbox",
  live: "Live",
  ask: "Ask",
  fixed: "Fixed text",
  fail: "Ends the run",
} as const;

/** What a policy means, in a sentence. */
export function policySentence(policy: ReplayTools["default"]): string {
  return POLICY_SENTENCES[policy];
}

/** The files with which tools that run begin, or why there are none. */
export function sandboxSentence({ problem, files, neverVersioned }: ReplaySandbox, step: number): string {
  if (problem !== null) return problem;
  const copied = `They work on a copy of ${files === 1 ? "the file" : `the ${files} files`} as of step ${step}.`;
  const kept = files === 0 ? `They begin without files, as step ${step} did.` : copied;
  if (neverVersioned === null) return `${kept} Files that were never versioned can't be counted here.`;
  if (neverVersioned === 0) return kept;
  const left =
    neverVersioned === 1 ? "1 file was never versioned and is" : `${neverVersioned} files were never versioned and are`;
  return `${kept} ${left} missing in it.`;
}
