import { stdin, stdout } from "node:process";
import { createInterface } from "node:readline";
import { HttpAgent, type Interrupt } from "@ag-ui/client";

const { RINGMASTER_URL = "http://localhost:3000", RINGMASTER_API_KEY, RINGMASTER_AGENT = "default" } = process.env;

const agent = new HttpAgent({
  url: `${RINGMASTER_URL}/agents/${RINGMASTER_AGENT}/ag-ui`,
  headers: { authorization: `Bearer ${RINGMASTER_API_KEY}` },
});
agent.subscribe({
  onTextMessageContentEvent: ({ event }) => void stdout.write(event.delta),
  onTextMessageEndEvent: () => void stdout.write("\n"),
  onToolCallEndEvent: ({ toolCallName, toolCallArgs }) =>
    void stdout.write(`[${toolCallName} ${JSON.stringify(toolCallArgs)}]\n`),
  onRunErrorEvent: ({ event }) => void stdout.write(`(${event.message})\n`),
});

const terminal = createInterface({ input: stdin });
const lines = terminal[Symbol.asyncIterator]();

/** What is typed after the prompt; empty at the end of the input. */
async function typed(prompt: string): Promise<string> {
  stdout.write(prompt);
  const { value = "" } = await lines.next();
  return value.trim();
}

/** The payload that the interrupt's `responseSchema` describes. */
async function payloadFor({ reason, message, responseSchema }: Interrupt): Promise<object> {
  if (reason === "input_required") {
    const answers = [];
    for (const { title } of responseSchema?.properties.answers.prefixItems ?? [])
      answers.push(await typed(`${title} `));
    return { decision: "answer", answers };
  }
  stdout.write(`${message}\n`);
  return { decision: (await typed("allow or deny: ")) === "allow" ? "allow" : "deny" };
}

async function converse(content: string): Promise<void> {
  agent.addMessage({ id: crypto.randomUUID(), role: "user", content });
  await agent.runAgent();
  while (agent.pendingInterrupts.length > 0) {
    const resume = [];
    for (const interrupt of agent.pendingInterrupts) {
      resume.push({ interruptId: interrupt.id, status: "resolved" as const, payload: await payloadFor(interrupt) });
    }
    await agent.runAgent({ resume });
  }
}

for (let line = await typed("> "); line !== ""; line = await typed("> ")) await converse(line);
terminal.close();
