import { diffArrays } from "diff";
import type { TriedCall, TriedRequest } from "@/lib/schema/agents/try-hook";
import type { Message } from "@/lib/schema/messages/message";
import { exactTokens } from "@/lib/schema/messages/token-estimate";

/** A stretch of messages that is unchanged, or that a hook changed, added or removed. `number` counts from 1. */
export type ComparedPart =
  | { readonly kind: "same"; readonly count: number; readonly tokens: number; readonly from: number }
  | {
      readonly kind: "changed";
      readonly number: number;
      readonly name: string;
      readonly before: string;
      readonly after: string;
    };

export function roughTokens(text: string): number {
  return Math.ceil(exactTokens(text));
}

/** A message's text, including its calls. */
export function messageText(message: Message): string {
  if (message.role !== "assistant" || message.toolCalls.length === 0) return message.content;
  const calls = message.toolCalls.map(({ name, args }) => `${name} ${JSON.stringify(args)}`);
  return [message.content, ...calls].filter(Boolean).join("\n");
}

export function isTriedCall(tried: TriedRequest | TriedCall): tried is TriedCall {
  return "call" in tried;
}

interface Block {
  readonly name: string;
  readonly text: string;
}

/** The prompt's sections, the messages and the tools' names, in the order in which they are sent. */
function blocksOf({ system, messages, tools }: TriedRequest): readonly Block[] {
  return [
    ...system.map(({ name, text }) => ({ name: `system, ${name}`, text })),
    ...messages.map((message) => ({
      name: message.role === "tool" ? `tool, ${message.name}` : message.role,
      text: messageText(message),
    })),
    ...(tools.length === 0 ? [] : [{ name: "tools", text: tools.join("\n") }]),
  ];
}

/** Message by message: a replacement is compared with the message it replaced. */
export function compareRequests(before: TriedRequest, after: TriedRequest): readonly ComparedPart[] {
  const key = ({ name, text }: Block) => `${name}\n${text}`;
  const [left, right] = [blocksOf(before), blocksOf(after)];
  const parts: ComparedPart[] = [];
  let [old, fresh] = [0, 0];
  let removed: readonly Block[] = [];
  const flush = (added: readonly Block[]) => {
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1) {
      const [was, is] = [removed[index], added[index]];
      const name = (is ?? was)?.name ?? "";
      const number = fresh + index + 1;
      parts.push({ kind: "changed", number, name, before: was?.text ?? "", after: is?.text ?? "" });
    }
    removed = [];
    fresh += added.length;
  };
  for (const block of diffArrays(left.map(key), right.map(key))) {
    const count = block.value.length;
    if (block.removed) {
      removed = left.slice(old, old + count);
      old += count;
    } else if (block.added) flush(right.slice(fresh, fresh + count));
    else {
      flush([]);
      const tokens = left.slice(old, old + count).reduce((sum, { text }) => sum + roughTokens(text), 0);
      parts.push({ kind: "same", count, tokens, from: fresh + 1 });
      old += count;
      fresh += count;
    }
  }
  flush([]);
  return parts;
}
