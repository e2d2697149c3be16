import { ChatCompletion, ChatCompletionBody } from "@/lib/schema/apis/openai";
import { completeChat, streamChat } from "@/lib/server/apis/openai/complete-chat";
import { openAiError } from "@/lib/server/apis/openai/openai-error";
import { startCompletion } from "@/lib/server/apis/openai/start-completion";
import { MAX_UPLOAD_BYTES } from "@/lib/server/http/read-body";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    maxBodyBytes: MAX_UPLOAD_BYTES,
    errors: openAiError,
    body: ChatCompletionBody,
    reply: ChatCompletion,
    produces: "text/event-stream",
    summary: "Talk to an agent as if it were an OpenAI model, streaming or not",
  },
  async ({ body, viewer, signal }) => {
    const started = await startCompletion(body, viewer);
    if (!body.stream) return completeChat(started, signal);
    return streamChat(started, body.stream_options?.include_usage === true, signal);
  },
);
