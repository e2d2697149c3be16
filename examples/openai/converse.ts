import { stdin, stdout } from "node:process";
import { createInterface } from "node:readline";
import OpenAI from "openai";

const { RINGMASTER_URL = "http://localhost:3000", RINGMASTER_API_KEY, RINGMASTER_AGENT = "default" } = process.env;
const client = new OpenAI({ baseURL: `${RINGMASTER_URL}/v1`, apiKey: RINGMASTER_API_KEY });

/** Prints the reply as it is written, with the calls that the agent makes, and returns its id. */
async function answer(input: string, previous: string | undefined): Promise<string> {
  const stream = client.responses.stream({
    model: `agent:${RINGMASTER_AGENT}`,
    input,
    ...(previous === undefined ? {} : { previous_response_id: previous }),
  });
  for await (const event of stream) stdout.write(shown(event));
  const { id, status, error } = await stream.finalResponse();
  if (status !== "completed") stdout.write(`(${status}${error ? `: ${error.message}` : ""})\n`);
  return id;
}

function shown(event: OpenAI.Responses.ResponseStreamEvent): string {
  if (event.type === "response.output_text.delta") return event.delta;
  if (event.type === "response.output_text.done") return "\n";
  if (event.type !== "response.output_item.done" || event.item.type !== "mcp_call") return "";
  const { name, arguments: sent, error } = event.item;
  return `[${name} ${sent}]${error ? ` failed: ${error}` : ""}\n`;
}

const terminal = createInterface({ input: stdin });
const lines = terminal[Symbol.asyncIterator]();

/** What is typed after the prompt; empty at the end of the input. */
async function typed(prompt: string): Promise<string> {
  stdout.write(prompt);
  const { value = "" } = await lines.next();
  return value.trim();
}

let previous: string | undefined;
for (let line = await typed("> "); line !== ""; line = await typed("> ")) previous = await answer(line, previous);
terminal.close();
