import { ResponseBody, ResponseObject } from "@/lib/schema/apis/responses";
import { REPLY_ROUTE } from "@/lib/server/apis/openai/reply-route";
import { completeResponse, streamResponse } from "@/lib/server/apis/openai/responses/complete-response";
import { startResponse } from "@/lib/server/apis/openai/responses/start-response";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    ...REPLY_ROUTE,
    body: ResponseBody,
    reply: ResponseObject,
    summary: "Talk to an agent by OpenAI's Responses API, streaming or not",
  },
  async ({ services, body, viewer, signal }) => {
    const started = await startResponse(services, body, viewer);
    return body.stream ? streamResponse(services, started, signal) : completeResponse(services, started, signal);
  },
);
