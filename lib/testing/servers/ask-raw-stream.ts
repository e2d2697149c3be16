import { askModel, providerSettings, USER_REQUEST } from "./ask-scripted-server";
import { startScriptedServer } from "./scripted-openai-server";

const calculate = { name: "calculate", description: "Calculates.", parameters: { type: "object", properties: {} } };
const request = { ...USER_REQUEST, tools: [...USER_REQUEST.tools, calculate] };

/** One call of a model whose provider answers with exactly this body; the tools are `ls` and `calculate`. */
export async function askRaw(body: string, contentType = "text/event-stream") {
  const server = await startScriptedServer({ script: [{ fault: { status: 200, body, contentType } }] });
  try {
    const settings = providerSettings({ openaiCompatible: { baseUrl: server.url, apiKey: null } });
    const asked = await askModel({ settings, request });
    return { ...asked, message: asked.error instanceof Error ? asked.error.message : undefined };
  } finally {
    await server.close();
  }
}

export type Json = Readonly<Record<string, unknown>>;
export const line = (value: unknown) => `data: ${typeof value === "string" ? value : JSON.stringify(value)}`;
export const stream = (...values: readonly unknown[]) => values.map((value) => `${line(value)}\n\n`).join("");
export const delta = (fields: Json, finish: unknown = null) => ({
  id: "c",
  choices: [{ index: 0, delta: fields, finish_reason: finish }],
});
export const piece = (fields: Json) => delta({ tool_calls: [fields] });
export const hello = delta({ role: "assistant", content: "Hello" });
export const stop = delta({}, "stop");
export const counts = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
