import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import { openAiError } from "@/lib/server/apis/openai/openai-error";
import { defineRoute } from "@/lib/server/wiring/route";

/** Whatever no other route handles, in OpenAI's shape. */
const nothing = defineRoute(
  { access: "public", errors: openAiError, summary: "Nothing is here", bodyDocument: z.unknown() },
  () => {
    throw new AppError(
      "not_found",
      "Unknown route. There are /v1/models, /v1/models/{id}, /v1/chat/completions, /v1/responses and /v1/responses/{id}.",
    );
  },
);

export { nothing as DELETE, nothing as GET, nothing as PATCH, nothing as POST, nothing as PUT };
