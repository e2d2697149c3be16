import type { Message, ToolCall } from "./message";

/** A labelled dump for people, in S0's layout. */
export function printMessages(messages: readonly Message[]): string {
  return messages.map((message) => `${printMessage(message)}\n`).join("\n");
}

function printMessage(message: Message): string {
  switch (message.role) {
    case "system":
      return `[System]\n${message.content}`;
    case "user":
      return `[Human]\n${message.content}`;
    case "tool":
      return `[Tool: ${message.name} (call_id=${message.toolCallId})]\n${message.content}`;
    case "assistant":
      return ["[AI]", ...(message.content ? [message.content] : []), ...message.toolCalls.map(printCall)].join("\n");
  }
}

function printCall({ name, id, args }: ToolCall): string {
  return `  → tool_call: ${name}(id=${id}, args=${JSON.stringify(args)})`;
}
