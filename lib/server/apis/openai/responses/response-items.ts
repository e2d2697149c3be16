import type { OutputCall, OutputItem, OutputMessage } from "@/lib/schema/apis/responses";
import type { ToolCall } from "@/lib/schema/messages/message";
import type { RunEvent } from "@/lib/schema/runs/run-event";
import type { ToolResult } from "@/lib/schema/tools/tool";

/** An event of a streamed response without its place in the stream. */
export interface ItemEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

interface Entry<Item extends OutputItem> {
  readonly index: number;
  item: Item;
}

/**
 * The output of a response: the text of each step and the calls that the agent made, in their order. The same events
 * give the same ids, so that an item can be found by its id later.
 */
export class ResponseItems {
  readonly #runId: string;
  readonly #allowReset: "reset allowed" | "already sent";
  readonly #messages = new Map<number, Entry<OutputMessage>>();
  readonly #calls = new Map<string, Entry<OutputCall>>();
  #entries: (Entry<OutputMessage> | Entry<OutputCall>)[] = [];
  #madeCalls = 0;

  /** A reset voids the text of its step unless it has already been delivered. */
  constructor(runId: string, allowReset: "reset allowed" | "already sent") {
    this.#runId = runId;
    this.#allowReset = allowReset;
  }

  get output(): readonly OutputItem[] {
    return this.#entries.map(({ item }) => item);
  }

  /** Takes the run's next event and returns what a stream says of it. */
  push(event: RunEvent): ItemEvent[] {
    switch (event.type) {
      case "text.delta":
        return this.#onText(event.step, event.delta);
      case "step.reset":
        return this.#onReset(event.step);
      case "model.completed":
        return this.#onStepEnd(event.step);
      case "tool.call":
        return this.#onCall(event.call);
      case "tool.result":
        return this.#onResult(event.result);
      default:
        return [];
    }
  }

  /** Adds a text that no step wrote. */
  addNotice(text: string): ItemEvent[] {
    const [message, events] = this.#openMessage("notice");
    return [...events, addText(message, text), ...closeMessage(message, "completed")];
  }

  /** Ends what is still open, where the run ended before it did. */
  end(): ItemEvent[] {
    const messages = [...this.#messages.values()].filter(isOpen);
    const calls = [...this.#calls.values()].filter(isOpen);
    return [
      ...messages.flatMap((message) => closeMessage(message, "incomplete")),
      ...calls.flatMap((call) => closeCall(call, { status: "incomplete", output: null, error: CUT_CALL })),
    ];
  }

  #openMessage(name: number | "notice"): readonly [Entry<OutputMessage>, ItemEvent[]] {
    const id = `msg_${this.#runId}_${name}`;
    const item: OutputMessage = { id, type: "message", role: "assistant", status: "in_progress", content: [] };
    const message = { index: this.#entries.length, item };
    this.#entries.push(message);
    const added = { type: "response.output_item.added", output_index: message.index, item };
    return [message, [added, { type: "response.content_part.added", ...placeOf(message), part: textPart("") }]];
  }

  #onText(step: number, delta: string): ItemEvent[] {
    const known = this.#messages.get(step);
    if (known) return [addText(known, delta)];
    const [message, events] = this.#openMessage(step);
    this.#messages.set(step, message);
    return [...events, addText(message, delta)];
  }

  #onStepEnd(step: number): ItemEvent[] {
    const message = this.#messages.get(step);
    return message && isOpen(message) ? closeMessage(message, "completed") : [];
  }

  #onReset(step: number): ItemEvent[] {
    if (this.#allowReset === "already sent") return [];
    const message = this.#messages.get(step);
    this.#messages.delete(step);
    this.#entries = this.#entries.filter((entry) => entry !== message);
    return [];
  }

  #onCall({ id: callId, name, args }: ToolCall): ItemEvent[] {
    this.#madeCalls += 1;
    const id = `mcp_${this.#runId}_${this.#madeCalls}`;
    const begun: OutputCall = { ...CALL, id, name, arguments: "", status: "in_progress" };
    const sent = JSON.stringify(args);
    const call = { index: this.#entries.length, item: { ...begun, arguments: sent } };
    this.#entries.push(call);
    this.#calls.set(callId, call);
    const place = { output_index: call.index, item_id: id };
    return [
      { type: "response.output_item.added", output_index: call.index, item: begun },
      { type: "response.mcp_call.in_progress", ...place },
      { type: "response.mcp_call_arguments.delta", ...place, delta: sent },
      { type: "response.mcp_call_arguments.done", ...place, arguments: sent },
    ];
  }

  #onResult({ toolCallId, output, error }: ToolResult): ItemEvent[] {
    const call = this.#calls.get(toolCallId);
    if (!call || !isOpen(call)) return [];
    if (error === undefined) return closeCall(call, { status: "completed", output, error: null });
    return closeCall(call, { status: "failed", output: null, error });
  }
}

const CUT_CALL = "The run ended before the call did.";
const CALL = {
  type: "mcp_call",
  server_label: "ringmaster",
  output: null,
  error: null,
  approval_request_id: null,
} as const;

function isOpen({ item }: Entry<OutputItem>): boolean {
  return item.status === "in_progress";
}

function addText(message: Entry<OutputMessage>, delta: string): ItemEvent {
  message.item = { ...message.item, content: [textPart(textOf(message) + delta)] };
  return { type: "response.output_text.delta", ...placeOf(message), delta, logprobs: [] };
}

function closeMessage(message: Entry<OutputMessage>, status: "completed" | "incomplete"): ItemEvent[] {
  const text = textOf(message);
  message.item = { ...message.item, status };
  return [
    { type: "response.output_text.done", ...placeOf(message), text, logprobs: [] },
    { type: "response.content_part.done", ...placeOf(message), part: textPart(text) },
    { type: "response.output_item.done", output_index: message.index, item: message.item },
  ];
}

function closeCall(call: Entry<OutputCall>, end: Pick<OutputCall, "status" | "output" | "error">): ItemEvent[] {
  call.item = { ...call.item, ...end };
  const place = { output_index: call.index, item_id: call.item.id };
  return [
    { type: end.status === "completed" ? "response.mcp_call.completed" : "response.mcp_call.failed", ...place },
    { type: "response.output_item.done", output_index: call.index, item: call.item },
  ];
}

function textPart(text: string): OutputMessage["content"][number] {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

function textOf({ item }: Entry<OutputMessage>): string {
  return item.content.map(({ text }) => text).join("");
}

function placeOf({ index, item }: Entry<OutputMessage>) {
  return { output_index: index, item_id: item.id, content_index: 0 };
}
