import { ModelList } from "@/lib/schema/openai";
import { listModels } from "@/lib/server/openai/list-models";
import { json } from "@/lib/server/reply";
import { defineRoute } from "@/lib/server/route";

export const GET = defineRoute(
  { access: "read", errors: "openai", reply: ModelList, summary: "Agents as OpenAI models" },
  async () => json(await listModels(), { schema: ModelList }),
);
