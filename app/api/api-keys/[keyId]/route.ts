import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { revokeApiKey } from "@/lib/server/api-keys/api-keys";
import { noContent } from "@/lib/server/reply";
import { defineRoute } from "@/lib/server/route";

export const DELETE = defineRoute(
  { access: "chat", params: z.object({ keyId: RowId }), status: 204, summary: "Revoke an own API key" },
  async ({ params, viewer }) => {
    await revokeApiKey(params.keyId, viewer);
    return noContent();
  },
);
