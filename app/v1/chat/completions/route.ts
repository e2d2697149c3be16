import { ChatCompletion, ChatCompletionBody } from "@/lib/schema/apis/openai";
import { completeChat, streamChat } from "@/lib/server/apis/openai/complete-chat";
import { REPLY_ROUTE } from "@/lib/server/apis/openai/reply-route";
import { startCompletion } from "@/lib/server/apis/openai/start-completion";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    ...REPLY_ROUTE,
    body: ChatCompletionBody,
    reply: ChatCompletion,
    summary: "Talk to an agent as if it were an OpenAI model, streaming or not",
  },
  async ({ services, body, viewer, signal }) => {
    const started = await startCompletion(services, body, viewer);
    if (!body.stream) return completeChat(services, started, signal);
    return streamChat(services, started, body.stream_options?.include_usage === true, signal);
  },
);
