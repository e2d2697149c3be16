import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { noContent } from "@/lib/server/http/reply";
import { revokeApiKey } from "@/lib/server/users/api-keys";
import { defineRoute } from "@/lib/server/wiring/route";

export const DELETE = defineRoute(
  { access: "chat", params: z.object({ keyId: RowId }), status: 204, summary: "Revoke one of your API keys" },
  async ({ services, params, viewer }) => {
    await revokeApiKey(services, params.keyId, viewer);
    return noContent();
  },
);
