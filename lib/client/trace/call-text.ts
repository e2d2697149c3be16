import { formatCount } from "@/lib/client/ui/text/format";
import type { Message } from "@/lib/schema/messages/message";
import { printMessages } from "@/lib/schema/messages/print-messages";
import type { ModelCallBody, PromptPart } from "@/lib/schema/traces/span-body";

/** A model call as text: the prompt, the messages shown and the reply. Hidden messages are counted. */
export function callText(system: readonly PromptPart[] | null, { request, reply }: ModelCallBody): string {
  const prompt = (system ?? []).flatMap(({ text }) => text ?? []).join("\n\n");
  const hidden = request && request.earlier === null ? request.earlierCount : 0;
  const parts = [
    prompt === "" ? "" : printMessages([{ role: "system", content: prompt }]),
    hidden === 0 ? "" : `[${hidden === 1 ? "1 earlier message" : `${formatCount(hidden)} earlier messages`}]\n`,
    printMessages([...(request?.earlier ?? []), ...(request?.fresh ?? [])].filter(isKept)),
    reply === null ? "" : printMessages([{ role: "assistant", content: reply.content, toolCalls: reply.toolCalls }]),
  ];
  return parts.filter((part) => part !== "").join("\n");
}

function isKept(message: Message | null): message is Message {
  return message !== null;
}
