import { ExtensionList } from "@/lib/schema/extension";
import { listExtensions } from "@/lib/server/agents/list-extensions";
import { reloadExtensions } from "@/lib/server/extensions/reload-extensions";
import { json } from "@/lib/server/http/reply";
import { processServices } from "@/lib/server/platform/services";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  { access: "admin", reply: ExtensionList, summary: "Load the extensions folder again, in every process" },
  async ({ viewer }) => {
    await reloadExtensions(processServices(), viewer);
    return json({ extensions: await listExtensions(processServices()) }, { schema: ExtensionList });
  },
);
