import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { SavedPrompt, UpdatePromptBody } from "@/lib/schema/prompts/saved-prompt";
import { json, noContent } from "@/lib/server/http/reply";
import { deletePrompt, getPrompt, updatePrompt } from "@/lib/server/skills/saved-prompts";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ promptId: RowId });

export const GET = defineRoute(
  { access: "read", params, reply: SavedPrompt, summary: "One prompt, your own or a shared one" },
  async ({ services, viewer, params: { promptId } }) =>
    json(await getPrompt(services.database, viewer, promptId), { schema: SavedPrompt }),
);

export const PATCH = defineRoute(
  {
    access: "chat",
    params,
    body: UpdatePromptBody,
    reply: SavedPrompt,
    summary: "Change what is named of a prompt; administrators change, share and unshare shared ones",
  },
  async ({ services, viewer, params: { promptId }, body }) =>
    json(await updatePrompt(services, viewer, promptId, body), { schema: SavedPrompt }),
);

export const DELETE = defineRoute(
  { access: "chat", params, status: 204, summary: "Delete a prompt; administrators delete shared ones" },
  async ({ services, viewer, params: { promptId } }) => {
    await deletePrompt(services, viewer, promptId);
    return noContent();
  },
);
