// The scripted provider as its own process, so that its CPU is not counted as ours. Prints two URLs as one line: one
// that answers in one write, and one that sends a piece every 20 ms.

import type { ScriptedAnswer } from "../lib/testing/servers/scripted-openai-events";
import { type ChatRequestBody, startScriptedServer } from "../lib/testing/servers/scripted-openai-server";

const PIECE_MS = 20;
const [STEPS = 0, TOKENS = 0] = process.argv.slice(2).map(Number);

/** The script behind a question's word: model calls, pieces of text in the last reply, characters before each call. */
const SCRIPTS: readonly (readonly [word: string, steps: number, pieces: number, charsPerStep: number])[] = [
  ["tokens", 1, TOKENS, 0],
  ["hello", 1, 20, 0],
  ["stream", 1, 3_000, 0],
  ["report", 50, 20, 4_000],
  ["go", STEPS, 20, 0],
];

function answer({ messages = [] }: ChatRequestBody): ScriptedAnswer {
  const question = messages.findLastIndex((message) => message.role === "user");
  const asked = String(messages[question]?.content);
  const done = messages.slice(question).filter((message) => message.role === "assistant").length;
  const [, steps, pieces, chars] = SCRIPTS.find(([word]) => asked.includes(word)) ?? ["", 1, 1, 0];
  if (done + 1 >= steps) return { text: Array.from({ length: pieces }, (_, index) => `word${index % 10} `) };
  const calls = [{ name: "calculate", args: { expression: `${done} + 1` }, id: `call_${done}` }];
  return chars === 0 ? { calls } : { text: [`Finding ${done}: ${"fact ".repeat(chars / 5)}`], calls };
}

const atOnce = await startScriptedServer({ record: false, script: answer });
const paced = await startScriptedServer({ record: false, script: answer, eventDelayMs: PIECE_MS });
process.stdout.write(`${atOnce.url} ${paced.url}\n`);
process.on("disconnect", () => process.exit(0));
