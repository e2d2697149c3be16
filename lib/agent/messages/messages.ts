import { AppError } from "@/lib/schema/app-error";
import {
  type AssistantMessage,
  type Message,
  MessageRole,
  type SystemMessage,
  type ToolCall,
  type ToolMessage,
  type UserMessage,
} from "@/lib/schema/messages/message";
import { printMessages } from "@/lib/schema/messages/print-messages";
import { estimateTokens } from "./estimate-tokens";

/** The result of `last` for an empty chain (S0's zero value). */
export const NO_MESSAGE = { role: "", content: "" } as const;

/** A call as a builder receives it; the raw text defaults to the JSON of `args`. */
type CallInput = Pick<ToolCall, "id" | "name" | "args"> & Partial<ToolCall>;

export const system = (content: string): SystemMessage => ({ role: "system", content });
export const human = (content: string): UserMessage => ({ role: "user", content });
export const ai = (content: string, ...calls: readonly CallInput[]): AssistantMessage => ({
  role: "assistant",
  content,
  toolCalls: calls.map((call) => ({ rawArgs: JSON.stringify(call.args), ...call })),
});
export const tool = (toolCallId: string, name: string, content: string): ToolMessage => ({
  role: "tool",
  content,
  toolCallId,
  name,
});

/** An ordered conversation (S0 Messages). Immutable: every builder returns a new chain. */
export class Messages {
  readonly #items: readonly Message[];

  constructor(items: readonly Message[] = []) {
    this.#items = [...items];
  }

  system(content: string): Messages {
    return this.#with(system(content));
  }
  human(content: string): Messages {
    return this.#with(human(content));
  }
  ai(content: string, ...calls: readonly CallInput[]): Messages {
    return this.#with(ai(content, ...calls));
  }
  tool(toolCallId: string, name: string, content: string): Messages {
    return this.#with(tool(toolCallId, name, content));
  }

  userMessages(): Messages {
    return this.byRole("user");
  }
  assistantMessages(): Messages {
    return this.byRole("assistant");
  }
  toolMessages(): Messages {
    return this.byRole("tool");
  }
  systemMessages(): Messages {
    return this.byRole("system");
  }
  byRole(role: MessageRole): Messages {
    return new Messages(this.#items.filter((message) => message.role === role));
  }

  /** The last message, or NO_MESSAGE if there is none. */
  last(): Message | typeof NO_MESSAGE {
    return this.#items.at(-1) ?? NO_MESSAGE;
  }
  lastContent(): string {
    return this.last().content;
  }
  get length(): number {
    return this.#items.length;
  }
  /** The messages as a list that the caller owns. */
  slice(): Message[] {
    return [...this.#items];
  }

  /** Throws `invalid_input`, naming the first message not allowed in a conversation. */
  validate(): void {
    this.#items.forEach((message, index) => {
      const problem = findProblem(message);
      if (problem) throw new AppError("invalid_input", `message ${index + 1}: ${problem}`);
    });
  }

  /** The stricter check for messages from outside: at least one, only user and system, none empty. */
  validateUserInput(): void {
    if (this.#items.length === 0) throw new AppError("invalid_input", "messages must not be empty");
    this.#items.forEach(({ role, content }, index) => {
      const isAllowed = role === "user" || role === "system";
      const problem = isAllowed ? content === "" && EMPTY : 'role must be "user" or "system"';
      if (problem) throw new AppError("invalid_input", `message ${index + 1}: ${problem}`);
    });
  }

  /** D-7; see `estimateTokens`. */
  estimateTokens(charsPerToken = 4): number {
    return estimateTokens(this.#items, charsPerToken);
  }

  /** A labelled dump for people, in S0's layout. */
  prettyPrint(): string {
    return printMessages(this.#items);
  }

  #with(message: Message): Messages {
    return new Messages([...this.#items, message]);
  }
}

const EMPTY = "content must not be empty";

/** The problem with a single message (S0's full validation); null if it is valid. */
export function findProblem(message: Message): string | null {
  if (!MessageRole.safeParse(message.role).success) return `unknown role ${JSON.stringify(message.role)}`;
  switch (message.role) {
    case "tool":
      return message.toolCallId && message.name ? null : "a tool message needs toolCallId and name";
    case "assistant":
      return assistantProblem(message);
    case "user":
      return message.content || message.images?.length ? null : EMPTY;
    default:
      return message.content ? null : EMPTY;
  }
}

function assistantProblem({ content, toolCalls }: AssistantMessage): string | null {
  if (content === "" && toolCalls.length === 0) return "an assistant message needs content or calls";
  return toolCalls.every((call) => call.id && call.name) ? null : "every tool call needs an id and a name";
}
