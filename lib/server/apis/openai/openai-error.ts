import { AppError, ERROR_STATUS } from "@/lib/schema/app-error";

/** An error in OpenAI's format. */
export function openAiError(error: AppError, message: string) {
  const status = ERROR_STATUS[error.code];
  return { error: { message, type: typeOf(status), param: paramOf(error.details), code: error.code } };
}

function typeOf(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 403) return "permission_error";
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}

/** The first invalid field. */
function paramOf(details: unknown): string | null {
  const [first] = Array.isArray(details) ? details : [];
  return typeof first?.path === "string" ? first.path : null;
}

export function unknownModel(name: string): AppError {
  const message = `There is no model "${name}". Models are named agent:<id> or agent:<id>@<alias>; GET /v1/models lists them.`;
  return new AppError("not_found", message, { details: [{ path: "model", message }] });
}
