import { AppError } from "@/lib/schema/app-error";
import { defineRoute } from "@/lib/server/http/route";

/** Whatever no other route answers, in OpenAI's shape. */
const nothing = defineRoute({ access: "public", errors: "openai", summary: "Nothing is here" }, () => {
  throw new AppError("not_found", "There is no such route: /v1/models and /v1/chat/completions are.");
});

export { nothing as DELETE, nothing as GET, nothing as PATCH, nothing as POST, nothing as PUT };
