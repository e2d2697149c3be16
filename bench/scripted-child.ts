// The scripted provider as its own process, so that its CPU is not counted as ours. Prints its URL as one line.
import { startScriptedServer } from "../lib/testing/scripted-openai-server";

const STEPS = Number(process.argv[2]);
const TOKENS = Number(process.argv[3]);

const server = await startScriptedServer({
  record: false,
  script: (request) => {
    const messages = request.messages ?? [];
    const question = messages.findLastIndex((message) => message.role === "user");
    const replies = messages.slice(question).filter((message) => message.role === "assistant").length;
    const wanted = stepsOf(messages[question]?.content);
    if (replies + 1 < wanted) {
      return { calls: [{ name: "calculate", args: { expression: `${replies} + 1` }, id: `call_${replies}` }] };
    }
    return { text: answerOf(messages[question]?.content) };
  },
});

/** A question that says `tokens` gets one long reply; every other one runs the loop. */
function stepsOf(content: unknown): number {
  return String(content).includes("tokens") ? 1 : String(content).includes("hello") ? 1 : STEPS;
}

function answerOf(content: unknown): string[] {
  const length = String(content).includes("tokens") ? TOKENS : 20;
  return Array.from({ length }, (_, index) => `word${index % 10} `);
}

process.stdout.write(`${server.url}\n`);
process.on("disconnect", () => process.exit(0));
