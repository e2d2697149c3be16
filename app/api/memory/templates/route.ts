import { MemoryTemplates } from "@/lib/schema/files/memory";
import { listTemplates } from "@/lib/server/file-access/memory/list-memory";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "read", reply: MemoryTemplates, summary: "What the prompt's files begin with" },
  async () => json({ templates: listTemplates() }, { schema: MemoryTemplates }),
);
