import { z } from "zod";
import { MemoryId, MemoryVersionList } from "@/lib/schema/files/memory";
import { PageQuery } from "@/lib/schema/page-query";
import { listMemoryVersions } from "@/lib/server/file-access/memory/memory-versions";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ id: MemoryId }),
    query: PageQuery,
    reply: MemoryVersionList,
    summary: "The versions of a memory document with who wrote them, newest first",
  },
  async ({ services, params: { id }, query, viewer }) =>
    json(await listMemoryVersions(services, id, query, viewer), { schema: MemoryVersionList }),
);
