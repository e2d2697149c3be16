import { setTimeout as sleep } from "node:timers/promises";
import type { Step } from "../../e2e/support/script-provider";

/** The start of a message that asks for work: "job 1a2b3c4d steps 3". */
export const JOB = "job";

/** Agents by id, all with the same model: one that works, one that asks before each step, one that delegates. */
export const jobAgents: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "soak-worker": { tools: ["tally"], description: "Does jobs" },
  "soak-asker": { tools: ["tally"], permissions: { enabled: true, ask: ["tally"] } },
  "soak-lead": { subagents: ["soak-worker"] },
};

/** The answer to a request's last user message: the next step of its job until all are done. */
export const nextStep: Extract<Step, (request: never) => unknown> = ({ messages = [], tools = [] }) => {
  const at = messages.findLastIndex(({ role }) => role === "user");
  const [, job = "none", steps = "0"] = /job (\S+) steps (\d+)/u.exec(textOf(messages[at]?.content)) ?? [];
  const finished = messages.slice(at + 1).filter(({ role }) => role === "tool").length;
  const gate = sleep(5 + Math.random() * 150);
  if (tools.some(({ function: tool }) => tool.name === "task")) {
    if (finished > 0) return { text: `done ${job}`, gate };
    const args = { agent: "soak-worker", description: "Do it", prompt: `${JOB} ${job}-sub steps ${steps}` };
    return { calls: [{ name: "task", args }], gate };
  }
  if (finished >= Number(steps)) return { text: `done ${job}`, gate };
  return { calls: [{ name: "tally", args: { job, step: finished } }], gate };
};

function textOf(content: unknown): string {
  return typeof content === "string" ? content : JSON.stringify(content ?? "");
}
