import { PageQuery } from "@/lib/schema/page-query";
import { ApiKeyList, CreateApiKeyBody, CreatedApiKey } from "@/lib/schema/users/api-key";
import { json } from "@/lib/server/http/reply";
import { createApiKey, listApiKeys } from "@/lib/server/users/api-keys";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "read", query: PageQuery, reply: ApiKeyList, summary: "List your API keys" },
  async ({ services, viewer, query }) =>
    json(await listApiKeys(services.database, viewer, query.limit, query.cursor), { schema: ApiKeyList }),
);

export const POST = defineRoute(
  {
    access: "chat",
    body: CreateApiKeyBody,
    reply: CreatedApiKey,
    status: 201,
    summary: "Create an API key; the key is shown only once",
  },
  async ({ services, viewer, body }) =>
    json(await createApiKey(services, body, viewer), { status: 201, schema: CreatedApiKey }),
);
