import { z } from "zod";
import { MemoryDetail, MemoryId, RestoreMemoryBody } from "@/lib/schema/files/memory";
import { restoreMemory } from "@/lib/server/file-access/memory/save-memory";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    params: z.object({ id: MemoryId }),
    body: RestoreMemoryBody,
    reply: MemoryDetail,
    summary: "Make the text of an older version a memory document's next one",
  },
  async ({ services, params: { id }, body: { version }, viewer }) =>
    json(await restoreMemory(services, id, version, viewer), { schema: MemoryDetail }),
);
