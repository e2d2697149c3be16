import { CreatePromptBody, SavedPrompt, SavedPromptList } from "@/lib/schema/prompts/saved-prompt";
import { json } from "@/lib/server/http/reply";
import { database } from "@/lib/server/platform/db/database";
import { processServices } from "@/lib/server/platform/services";
import { createPrompt, listPrompts } from "@/lib/server/skills/saved-prompts";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    reply: SavedPromptList,
    summary: "The prompt library: your own prompts and the shared ones, by name",
  },
  async ({ viewer }) => json({ prompts: await listPrompts(database(), viewer) }, { schema: SavedPromptList }),
);

export const POST = defineRoute(
  {
    access: "chat",
    body: CreatePromptBody,
    reply: SavedPrompt,
    status: 201,
    summary: "Save a prompt; {{name}} in its text is a variable. Administrators also save shared ones",
  },
  async ({ viewer, body }) =>
    json(await createPrompt(processServices(), viewer, body), { status: 201, schema: SavedPrompt }),
);
