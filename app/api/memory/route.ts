import { CreateMemoryBody, MemoryDetail, MemoryDocumentList, MemoryListQuery } from "@/lib/schema/files/memory";
import { listMemory } from "@/lib/server/file-access/memory/list-memory";
import { createMemory } from "@/lib/server/file-access/memory/save-memory";
import { json } from "@/lib/server/http/reply";
import { processServices } from "@/lib/server/platform/services";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    query: MemoryListQuery,
    reply: MemoryDocumentList,
    summary: "Memory documents; an admin's are everybody's",
  },
  async ({ query, viewer }) => json(await listMemory(processServices(), viewer, query), { schema: MemoryDocumentList }),
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
  async ({ body, viewer }) =>
    json(await createMemory(processServices(), body, viewer), { status: 201, schema: MemoryDetail }),
);
