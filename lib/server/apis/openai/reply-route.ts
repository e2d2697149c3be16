import "server-only";
import { MAX_UPLOAD_BYTES } from "@/lib/server/http/read-body";
import { openAiError } from "./openai-error";

/** What the routes that answer by an agent share. */
export const REPLY_ROUTE = {
  access: "chat",
  maxBodyBytes: MAX_UPLOAD_BYTES,
  errors: openAiError,
  produces: "text/event-stream",
} as const;
