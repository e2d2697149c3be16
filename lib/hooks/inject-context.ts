import type { Hook } from "@/lib/agent/hooks/hook";
import type { Message } from "@/lib/schema/messages/message";

/** S2's InjectContext (D-66): adds a user message before the whole conversation; never stored. */
export function injectContextHook(text: string): Hook {
  const message: Message = { role: "user", content: text };
  return {
    name: "inject-context",
    async modifyRequest(request) {
      return { ...request, messages: [message, ...request.messages] };
    },
  };
}
