import { CreatePromptBody, SavedPrompt, SavedPromptList } from "@/lib/schema/prompts/saved-prompt";
import { json } from "@/lib/server/http/reply";
import { createPrompt, listPrompts } from "@/lib/server/skills/saved-prompts";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    reply: SavedPromptList,
    summary: "The prompt library: your own prompts and the shared ones, by name",
  },
  async ({ services, viewer }) =>
    json({ prompts: await listPrompts(services.database, viewer) }, { schema: SavedPromptList }),
);

export const POST = defineRoute(
  {
    access: "chat",
    body: CreatePromptBody,
    reply: SavedPrompt,
    status: 201,
    summary: "Save a prompt; {{name}} in its text is a variable. Administrators also save shared ones",
  },
  async ({ services, viewer, body }) =>
    json(await createPrompt(services, viewer, body), { status: 201, schema: SavedPrompt }),
);
