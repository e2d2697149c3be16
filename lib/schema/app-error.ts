import type { FailureCause } from "@/lib/schema/runs/run";
import { SharedError } from "@/lib/schema/shared-error";

/** HTTP status of every error code the app may return. Add a code here first. */
export const ERROR_STATUS = {
  invalid_input: 400,
  input_blocked: 400,
  not_available: 400,
  unauthorized: 401,
  budget_reached: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  not_waiting: 409,
  busy: 409,
  payload_too_large: 413,
  misdirected: 421,
  rate_limited: 429,
  internal: 500,
  hook_failed: 500,
  invalid_chain: 500,
  model_failed: 502,
  unavailable: 503,
  timeout: 504,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** One problem of one field; `path` is dotted (`backend.type`). */
export interface FieldProblem {
  readonly path: string;
  readonly message: string;
}

interface AppErrorOptions {
  readonly cause?: unknown;
  readonly details?: unknown;
  /** For those who offer a person the way to what has to change. */
  readonly failure?: FailureCause | undefined;
}

/** The one error class. `message` is shown to users and says what to do; put the technical reason in `cause`. */
export class AppError extends SharedError {
  static override readonly kind: string = "AppError";

  readonly code: ErrorCode;
  readonly options: AppErrorOptions;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.options = options;
  }

  /** The error reply's `details`. */
  get details(): unknown {
    return this.options.details;
  }
}

/** The code that an error of another class declares in `callerCode`; otherwise null. */
export function callerCodeOf(error: unknown): ErrorCode | null {
  if (!(error instanceof Error && "callerCode" in error)) return null;
  const code = String(error.callerCode);
  return Object.hasOwn(ERROR_STATUS, code) ? (code as ErrorCode) : null;
}

/** A field of a request that is wrong; the error's message names it. */
export function invalidField(path: string, message: string): AppError {
  return new AppError("invalid_input", sentenceOf({ path, message }), { details: [{ path, message }] });
}

/** Throws `invalid_input` if there are any problems; its message is the first, its details are all. */
export function refuseFields(problems: readonly FieldProblem[]): void {
  const [first] = problems;
  if (first) throw new AppError("invalid_input", sentenceOf(first), { details: problems });
}

function sentenceOf({ path, message }: FieldProblem): string {
  return `${path}: ${message}${/[.!?]$/.test(message) ? "" : "."}`;
}
