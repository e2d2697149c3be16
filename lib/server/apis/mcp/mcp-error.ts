import type { AppError } from "@/lib/schema/app-error";

const SERVER_ERROR = -32_000;

/** An error as JSON-RPC has it, of a request that was refused before it was read. */
export function mcpError({ code, details }: AppError, message: string) {
  const data = { code, ...(details === undefined ? {} : { details }) };
  return { jsonrpc: "2.0", id: null, error: { code: SERVER_ERROR, message, data } };
}
