import { ApiError, errorMessage } from "./api";

export interface ErrorSummary {
  readonly message: string;
  readonly code?: string;
  readonly requestId: string | null;
}

/** The facts that an error page shows and copies about any thrown value. */
export function summarizeError(error: unknown): ErrorSummary {
  if (!(error instanceof ApiError)) return { message: errorMessage(error), requestId: null };
  const code = error.status > 0 ? `${error.status} · ${error.code}` : error.code;
  return { message: error.message, code, requestId: error.requestId };
}
