import { z } from "zod";
import { MemoryDetail, MemoryId, SaveMemoryBody } from "@/lib/schema/files/memory";
import { getMemory } from "@/lib/server/file-access/memory/read-memory";
import { deleteMemory, saveMemory } from "@/lib/server/file-access/memory/save-memory";
import { json, noContent } from "@/lib/server/http/reply";
import { processServices } from "@/lib/server/platform/services";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ id: MemoryId });

export const GET = defineRoute(
  { access: "read", params, reply: MemoryDetail, summary: "A memory document with its text" },
  async ({ params: { id }, viewer }) => json(await getMemory(processServices(), id, viewer), { schema: MemoryDetail }),
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
  async ({ params: { id }, body, viewer }) =>
    json(await saveMemory(processServices(), id, body, viewer), { schema: MemoryDetail }),
);

export const DELETE = defineRoute(
  { access: "chat", params, status: 204, summary: "Delete a memory document; its versions can be restored" },
  async ({ params: { id }, viewer }) => {
    await deleteMemory(processServices(), id, viewer);
    return noContent();
  },
);
