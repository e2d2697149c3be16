import { ModelList } from "@/lib/schema/openai";
import { listModels } from "@/lib/server/apis/openai/list-models";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/http/route";

export const GET = defineRoute(
  { access: "read", errors: "openai", reply: ModelList, summary: "Agents as OpenAI models" },
  async () => json(await listModels(), { schema: ModelList }),
);
