import { MemorySearchQuery, MemorySearchResults } from "@/lib/schema/files/memory";
import { searchMemory } from "@/lib/server/file-access/memory/list-memory";
import { json } from "@/lib/server/http/reply";
import { processServices } from "@/lib/server/platform/services";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    query: MemorySearchQuery,
    reply: MemorySearchResults,
    summary: "Lines of memory documents that have all the words",
  },
  async ({ query, viewer }) =>
    json(await searchMemory(processServices(), viewer, query), { schema: MemorySearchResults }),
);
