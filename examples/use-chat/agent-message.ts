import type { UIMessage } from "ai";

interface Todo {
  readonly id: string;
  readonly title: string;
  readonly status: string;
}

/** A message with those of Ringmaster's data parts that this page shows. */
export type AgentMessage = UIMessage<unknown, { todos: { readonly todos: readonly Todo[] } }>;
