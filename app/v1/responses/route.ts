import { ResponseBody, ResponseObject } from "@/lib/schema/apis/responses";
import { REPLY_ROUTE } from "@/lib/server/apis/openai/reply-route";
import { completeResponse, streamResponse } from "@/lib/server/apis/openai/responses/complete-response";
import { startResponse } from "@/lib/server/apis/openai/responses/start-response";
import { processServices } from "@/lib/server/platform/services";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    ...REPLY_ROUTE,
    body: ResponseBody,
    reply: ResponseObject,
    summary: "Talk to an agent by OpenAI's Responses API, streaming or not",
  },
  async ({ body, viewer, signal }) => {
    const started = await startResponse(processServices(), body, viewer);
    return body.stream
      ? streamResponse(processServices(), started, signal)
      : completeResponse(processServices(), started, signal);
  },
);
