import { z } from "zod";
import { MemoryLineId, MemoryLineUses } from "@/lib/schema/files/memory";
import { json } from "@/lib/server/http/reply";
import { getLineUses } from "@/lib/server/traces/recall/line-uses";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ id: MemoryLineId }),
    reply: MemoryLineUses,
    summary: "How many recorded prompts contained a line of memory, and in which threads",
  },
  async ({ services, params: { id }, viewer }) =>
    json(await getLineUses(services, id, viewer), { schema: MemoryLineUses }),
);
