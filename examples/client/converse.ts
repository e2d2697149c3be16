import { stdin, stdout } from "node:process";
import { createInterface } from "node:readline";
import { createClient, type Interrupt, type RunEvent } from "ringmaster/client";

const { RINGMASTER_URL = "http://localhost:3000", RINGMASTER_API_KEY = "", RINGMASTER_AGENT = "default" } = process.env;
const ringmaster = createClient({ url: RINGMASTER_URL, apiKey: RINGMASTER_API_KEY });

const terminal = createInterface({ input: stdin });
const lines = terminal[Symbol.asyncIterator]();

/** What is typed after the prompt; empty at the end of the input. */
async function typed(prompt: string): Promise<string> {
  stdout.write(prompt);
  const { value = "" } = await lines.next();
  return value.trim();
}

function shown(event: RunEvent): string {
  if (event.type === "chunk") return event.content;
  if (event.type === "tool.call") return `\n[${event.name} ${JSON.stringify(event.args)}]\n`;
  if (event.type === "run.failed") return `(${event.error})\n`;
  return event.type === "run.completed" ? "\n" : "";
}

async function decide({ kind, tool_call_id, tool, questions = [] }: Interrupt) {
  if (kind === "question") {
    const answers = [];
    for (const { question } of questions) answers.push(await typed(`${question} `));
    return { tool_call_id, decision: "answer" as const, answers };
  }
  const isAllowed = (await typed(`May the agent call ${tool}? (y/n) `)) === "y";
  return { tool_call_id, decision: isAllowed ? ("allow" as const) : ("deny" as const) };
}

async function converse(threadId: string, content: string): Promise<void> {
  const sent = await ringmaster.call("POST /api/threads/{threadId}/messages", {
    path: { threadId },
    body: { content },
  });
  if (!("runId" in sent)) return;
  const { runId } = sent;
  for await (const event of ringmaster.followRun(runId)) {
    stdout.write(shown(event));
    if (event.type !== "run.waiting") continue;
    const decisions = [];
    for (const interrupt of event.interrupts) decisions.push(await decide(interrupt));
    await ringmaster.call("POST /api/runs/{runId}/decisions", { path: { runId }, body: { decisions } });
  }
}

const { id: threadId } = await ringmaster.call("POST /api/threads", { body: { agentId: RINGMASTER_AGENT } });
for (let line = await typed("> "); line !== ""; line = await typed("> ")) await converse(threadId, line);
terminal.close();
