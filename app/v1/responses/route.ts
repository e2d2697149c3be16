import { ResponseBody, ResponseObject } from "@/lib/schema/apis/responses";
import { openAiError } from "@/lib/server/apis/openai/openai-error";
import { completeResponse, streamResponse } from "@/lib/server/apis/openai/responses/complete-response";
import { startResponse } from "@/lib/server/apis/openai/responses/start-response";
import { MAX_UPLOAD_BYTES } from "@/lib/server/http/read-body";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    maxBodyBytes: MAX_UPLOAD_BYTES,
    errors: openAiError,
    body: ResponseBody,
    reply: ResponseObject,
    produces: "text/event-stream",
    summary: "Talk to an agent by OpenAI's Responses API, streaming or not",
  },
  async ({ body, viewer, signal }) => {
    const started = await startResponse(body, viewer);
    return body.stream ? streamResponse(started, signal) : completeResponse(started, signal);
  },
);
