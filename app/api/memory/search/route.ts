import { MemorySearchQuery, MemorySearchResults } from "@/lib/schema/files/memory";
import { searchMemory } from "@/lib/server/file-access/memory/list-memory";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    query: MemorySearchQuery,
    reply: MemorySearchResults,
    summary: "Lines of memory documents that have all the words",
  },
  async ({ services, query, viewer }) =>
    json(await searchMemory(services, viewer, query), { schema: MemorySearchResults }),
);
