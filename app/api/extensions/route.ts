import { ExtensionList } from "@/lib/schema/extension";
import { listExtensions } from "@/lib/server/agents/list-extensions";
import { json } from "@/lib/server/http/reply";
import { processServices } from "@/lib/server/platform/services";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "admin", reply: ExtensionList, summary: "What was loaded from the extensions folder, and what failed" },
  async () => json({ extensions: await listExtensions(processServices()) }, { schema: ExtensionList }),
);
