import { stdin, stdout } from "node:process";
import { createInterface } from "node:readline/promises";
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

const terminal = createInterface({ input: stdin, output: stdout, prompt: "> " });
let previous: string | undefined;
terminal.prompt();
for await (const line of terminal) {
  if (line.trim() !== "") previous = await answer(line, previous);
  terminal.prompt();
}
