import { z } from "zod";
import { DeletedResponse, ResponseObject, ResponseQuery } from "@/lib/schema/apis/responses";
import { RowId } from "@/lib/schema/page-query";
import { openAiError } from "@/lib/server/apis/openai/openai-error";
import { deleteResponse, findResponse } from "@/lib/server/apis/openai/responses/find-response";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ responseId: RowId });

export const GET = defineRoute(
  {
    access: "read",
    errors: openAiError,
    params,
    query: ResponseQuery,
    reply: ResponseObject,
    summary: "One stored response, also while it is made",
  },
  async ({ services, params: { responseId }, viewer }) =>
    json(await findResponse(services.database, responseId, viewer), { schema: ResponseObject }),
);

export const DELETE = defineRoute(
  {
    access: "chat",
    errors: openAiError,
    params,
    reply: DeletedResponse,
    summary: "Delete a response with the thread that it began; 409 if others belong to that thread",
  },
  async ({ services, params: { responseId }, viewer }) => {
    await deleteResponse(services, responseId, viewer);
    return json({ id: responseId, object: "response", deleted: true }, { schema: DeletedResponse });
  },
);
