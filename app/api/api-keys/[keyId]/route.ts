import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { noContent } from "@/lib/server/http/reply";
import { processServices } from "@/lib/server/platform/services";
import { revokeApiKey } from "@/lib/server/users/api-keys";
import { defineRoute } from "@/lib/server/wiring/route";

export const DELETE = defineRoute(
  { access: "chat", params: z.object({ keyId: RowId }), status: 204, summary: "Revoke one of your API keys" },
  async ({ params, viewer }) => {
    await revokeApiKey(processServices(), params.keyId, viewer);
    return noContent();
  },
);
