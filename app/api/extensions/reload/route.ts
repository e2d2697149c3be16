import { ExtensionList } from "@/lib/schema/extension";
import { listExtensions } from "@/lib/server/agents/list-extensions";
import { reloadExtensions } from "@/lib/server/extensions/reload-extensions";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  { access: "admin", reply: ExtensionList, summary: "Load the extensions folder again, in every process" },
  async ({ services, viewer }) => {
    await reloadExtensions(services, viewer);
    return json({ extensions: await listExtensions(services.database) }, { schema: ExtensionList });
  },
);
