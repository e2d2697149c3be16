import { ExtensionList } from "@/lib/schema/extension";
import { listExtensions } from "@/lib/server/agents/list-extensions";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "admin", reply: ExtensionList, summary: "What was loaded from the extensions folder, and what failed" },
  async ({ services }) => json({ extensions: await listExtensions(services.database) }, { schema: ExtensionList }),
);
