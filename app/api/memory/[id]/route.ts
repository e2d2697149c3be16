import { z } from "zod";
import { MemoryDetail, MemoryId, SaveMemoryBody } from "@/lib/schema/files/memory";
import { getMemory } from "@/lib/server/file-access/memory/read-memory";
import { deleteMemory, saveMemory } from "@/lib/server/file-access/memory/save-memory";
import { json, noContent } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ id: MemoryId });

export const GET = defineRoute(
  { access: "read", params, reply: MemoryDetail, summary: "A memory document with its text" },
  async ({ services, params: { id }, viewer }) => json(await getMemory(services, id, viewer), { schema: MemoryDetail }),
);

export const PUT = defineRoute(
  {
    access: "chat",
    params,
    body: SaveMemoryBody,
    maxBodyBytes: 4_000_000,
    reply: MemoryDetail,
    summary: "Write a memory document that was read at `version`; 409 with the current one when it has changed",
  },
  async ({ services, params: { id }, body, viewer }) =>
    json(await saveMemory(services, id, body, viewer), { schema: MemoryDetail }),
);

export const DELETE = defineRoute(
  { access: "chat", params, status: 204, summary: "Delete a memory document; its versions can be restored" },
  async ({ services, params: { id }, viewer }) => {
    await deleteMemory(services, id, viewer);
    return noContent();
  },
);
