import { runCalculation } from "./calculation";
import type { ChatMessage, LoopOptions } from "./loop-options";

interface Delta {
  readonly content?: string;
  readonly tool_calls?: readonly { index: number; id?: string; function?: { name?: string; arguments?: string } }[];
}

/**
 * The baseline: `fetch`, server-sent events parsed by hand, the tool, nothing stored. Returns the last reply's text.
 */
export async function bareFetchLoop({ baseUrl, history }: LoopOptions): Promise<string> {
  const messages: ChatMessage[] = [...history];
  for (;;) {
    const { text, calls } = await callModel(baseUrl, messages);
    if (calls.length === 0) return text;
    messages.push({ role: "assistant", content: text, tool_calls: calls });
    for (const call of calls) {
      messages.push({ role: "tool", tool_call_id: call.id, content: runCalculation(call.function.arguments) });
    }
  }
}

interface Reply {
  text: string;
  readonly calls: { id: string; type: "function"; function: { name: string; arguments: string } }[];
}

async function callModel(baseUrl: string, messages: readonly ChatMessage[]): Promise<Reply> {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "bench", stream: true, messages }),
  });
  if (!response.ok || !response.body) throw new Error(`The scripted server answered ${response.status}.`);
  const reply: Reply = { text: "", calls: [] };
  for await (const data of serverSentData(response.body)) {
    if (data === "[DONE]") break;
    addDelta(reply, (JSON.parse(data) as { choices: readonly { delta?: Delta }[] }).choices[0]?.delta ?? {});
  }
  return reply;
}

function addDelta(reply: Reply, delta: Delta): void {
  reply.text += delta.content ?? "";
  for (const part of delta.tool_calls ?? []) {
    const call = reply.calls[part.index] ?? {
      id: part.id ?? "",
      type: "function",
      function: { name: "", arguments: "" },
    };
    reply.calls[part.index] = call;
    call.function.name += part.function?.name ?? "";
    call.function.arguments += part.function?.arguments ?? "";
  }
}

/** Yields the `data:` payload of each frame of a server-sent event stream. */
async function* serverSentData(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let buffer = "";
  for await (const chunk of body) {
    buffer += decoder.decode(chunk, { stream: true });
    let end = buffer.indexOf("\n\n");
    while (end !== -1) {
      const frame = buffer.slice(0, end);
      buffer = buffer.slice(end + 2);
      if (frame.startsWith("data: ")) yield frame.slice(6);
      end = buffer.indexOf("\n\n");
    }
  }
}
