import { ModelList } from "@/lib/schema/apis/openai";
import { listModels } from "@/lib/server/apis/openai/list-models";
import { openAiError } from "@/lib/server/apis/openai/openai-error";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "read", errors: openAiError, reply: ModelList, summary: "Agents as OpenAI models" },
  async ({ services, viewer }) => json(await listModels(services.database, viewer), { schema: ModelList }),
);
