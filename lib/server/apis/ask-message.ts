import type { Interrupt } from "@/lib/schema/runs/interrupt";

/** What a client asks its person, without the arguments of the call. */
export function askMessage({ kind, tool, reason, questions = [], connect, subagent, runsIn }: Interrupt): string {
  if (kind === "question") return questions.map(({ question }) => question).join("\n");
  if (kind === "budget") return reason ?? "A budget was reached. Allow the run to continue with more?";
  if (kind === "connect") {
    const where = connect?.host ?? connect?.serverId ?? "its server";
    return `${tool} works with your own connection to ${where}. Connect in Ringmaster, then allow.`;
  }
  const who = subagent === undefined ? "" : `${subagent}: `;
  const where = runsIn === undefined ? "" : ` (${runsIn})`;
  const why = reason === undefined ? "" : `\n${reason}`;
  return `${who}Allow this call of ${tool}${where}?${why}`;
}
