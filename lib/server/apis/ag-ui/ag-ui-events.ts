import type { ToolCall } from "@/lib/schema/messages/message";
import type { RunEvent } from "@/lib/schema/runs/run-event";
import type { ToolResult } from "@/lib/schema/tools/tool";

/** An event of AG-UI 1.0. */
export interface AgUiEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

interface OpenText {
  readonly kind: "TEXT_MESSAGE" | "REASONING_MESSAGE";
  readonly messageId: string;
}

/**
 * The events of a run in AG-UI's: what the agent writes and thinks, its calls and their results, and its plan as the
 * state. How the run begins and ends is its stream's to say.
 */
export class AgUiEvents {
  readonly #runId: string;
  #open: OpenText | null = null;
  #writtenSteps = new Set<number>();

  constructor(runId: string) {
    this.#runId = runId;
  }

  push(event: RunEvent): AgUiEvent[] {
    switch (event.type) {
      case "text.delta":
        return this.#onText(event.step, event.delta);
      case "reasoning.delta":
        return this.#onReasoning(event.step, event.delta);
      case "model.completed":
        return this.#close();
      case "tool.call":
        return [...this.#close(), ...this.#onCall(event.step, event.call)];
      case "tool.result":
        return [this.#onResult(event.result)];
      case "todo.updated":
        return [{ type: "STATE_SNAPSHOT", snapshot: { todos: event.todos } }];
      default:
        return [];
    }
  }

  /** Ends the message that is being written, if any; `notice` is a text that no step wrote. */
  finish(notice = ""): AgUiEvent[] {
    const end = this.#close();
    if (notice === "") return end;
    const messageId = `msg_${this.#runId}_notice`;
    const begin = this.#begin("TEXT_MESSAGE", messageId);
    return [...end, ...begin, content("TEXT_MESSAGE", messageId, notice), ...this.#close()];
  }

  #close(): AgUiEvent[] {
    const open = this.#open;
    this.#open = null;
    if (open === null) return [];
    const end = { type: `${open.kind}_END`, messageId: open.messageId };
    return open.kind === "TEXT_MESSAGE" ? [end] : [end, { type: "REASONING_END", messageId: open.messageId }];
  }

  #onText(step: number, delta: string): AgUiEvent[] {
    this.#writtenSteps.add(step);
    return this.#write("TEXT_MESSAGE", this.#messageId(step), delta);
  }

  #onReasoning(step: number, delta: string): AgUiEvent[] {
    return this.#write("REASONING_MESSAGE", `reasoning_${this.#runId}_${step}`, delta);
  }

  #write(kind: OpenText["kind"], messageId: string, delta: string): AgUiEvent[] {
    if (delta === "") return [];
    const isOpen = this.#open?.messageId === messageId;
    const before = isOpen ? [] : [...this.#close(), ...this.#begin(kind, messageId)];
    return [...before, content(kind, messageId, delta)];
  }

  #begin(kind: OpenText["kind"], messageId: string): AgUiEvent[] {
    this.#open = { kind, messageId };
    if (kind === "TEXT_MESSAGE") return [{ type: "TEXT_MESSAGE_START", messageId, role: "assistant" }];
    return [
      { type: "REASONING_START", messageId },
      { type: "REASONING_MESSAGE_START", messageId, role: "reasoning" },
    ];
  }

  #onCall(step: number, { id: toolCallId, name: toolCallName, args }: ToolCall): AgUiEvent[] {
    const parent = this.#writtenSteps.has(step) ? { parentMessageId: this.#messageId(step) } : {};
    return [
      { type: "TOOL_CALL_START", toolCallId, toolCallName, ...parent },
      { type: "TOOL_CALL_ARGS", toolCallId, delta: JSON.stringify(args) },
      { type: "TOOL_CALL_END", toolCallId },
    ];
  }

  #onResult({ toolCallId, output, error }: ToolResult): AgUiEvent {
    const messageId = `result_${this.#runId}_${toolCallId}`;
    const text = error === undefined ? output : `Error: ${error}`;
    return { type: "TOOL_CALL_RESULT", messageId, toolCallId, role: "tool", content: text };
  }

  #messageId(step: number): string {
    return `msg_${this.#runId}_${step}`;
  }
}

function content(kind: OpenText["kind"], messageId: string, delta: string): AgUiEvent {
  return { type: `${kind}_CONTENT`, messageId, delta };
}
