import { CreateMemoryBody, MemoryDetail, MemoryDocumentList, MemoryListQuery } from "@/lib/schema/files/memory";
import { listMemory } from "@/lib/server/file-access/memory/list-memory";
import { createMemory } from "@/lib/server/file-access/memory/save-memory";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    query: MemoryListQuery,
    reply: MemoryDocumentList,
    summary: "Memory documents; an admin's are everybody's",
  },
  async ({ services, query, viewer }) =>
    json(await listMemory(services, viewer, query), { schema: MemoryDocumentList }),
);

export const POST = defineRoute(
  {
    access: "chat",
    body: CreateMemoryBody,
    maxBodyBytes: 4_000_000,
    reply: MemoryDetail,
    status: 201,
    summary: "Create a memory document, such as a prompt file from its template",
  },
  async ({ services, body, viewer }) =>
    json(await createMemory(services, body, viewer), { status: 201, schema: MemoryDetail }),
);
