import { z } from "zod";
import { Model } from "@/lib/schema/apis/openai";
import { findModel } from "@/lib/server/apis/openai/list-models";
import { openAiError } from "@/lib/server/apis/openai/openai-error";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    errors: openAiError,
    params: z.object({ model: z.string().max(200) }),
    reply: Model,
    summary: "One agent as an OpenAI model",
  },
  async ({ services, params: { model }, viewer }) =>
    json(await findModel(services.database, model, viewer), { schema: Model }),
);
