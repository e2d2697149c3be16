import { z } from "zod";
import { MemoryDiffQuery, MemoryId } from "@/lib/schema/files/memory";
import { FileDiff } from "@/lib/schema/files/workspace-file";
import { diffMemory } from "@/lib/server/file-access/memory/memory-versions";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ id: MemoryId }),
    query: MemoryDiffQuery,
    reply: FileDiff,
    summary: "A unified diff of two versions of a memory document",
  },
  async ({ services, params: { id }, query, viewer }) =>
    json(await diffMemory(services, id, query, viewer), { schema: FileDiff }),
);
