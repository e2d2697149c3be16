import { z } from "zod";
import { MemoryBlame, MemoryId } from "@/lib/schema/files/memory";
import { blameMemory } from "@/lib/server/file-access/memory/blame-memory";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ id: MemoryId }),
    reply: MemoryBlame,
    summary: "Each line of a memory document with the version, the author, the run and the span that it came with",
  },
  async ({ services, params: { id }, viewer }) =>
    json(await blameMemory(services, id, viewer), { schema: MemoryBlame }),
);
