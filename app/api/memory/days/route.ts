import { MemoryDays, MemoryDaysQuery } from "@/lib/schema/files/memory";
import { listMemoryDays } from "@/lib/server/file-access/memory/list-memory";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "read", query: MemoryDaysQuery, reply: MemoryDays, summary: "The days of a month that have daily notes" },
  async ({ services, query, viewer }) => json(await listMemoryDays(services, viewer, query), { schema: MemoryDays }),
);
