import { PageQuery } from "@/lib/schema/page-query";
import { ApiKeyList, CreateApiKeyBody, CreatedApiKey } from "@/lib/schema/users/api-key";
import { json } from "@/lib/server/http/reply";
import { processServices } from "@/lib/server/platform/services";
import { createApiKey, listApiKeys } from "@/lib/server/users/api-keys";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "read", query: PageQuery, reply: ApiKeyList, summary: "List your API keys" },
  async ({ viewer, query }) =>
    json(await listApiKeys(processServices(), viewer, query.limit, query.cursor), { schema: ApiKeyList }),
);

export const POST = defineRoute(
  {
    access: "chat",
    body: CreateApiKeyBody,
    reply: CreatedApiKey,
    status: 201,
    summary: "Create an API key; the key is shown only once",
  },
  async ({ viewer, body }) =>
    json(await createApiKey(processServices(), body, viewer), { status: 201, schema: CreatedApiKey }),
);
