import "server-only";
import { createHash } from "node:crypto";

/**
 * Equal for requests with the same key, or of the same session: no other key or session can finish what one has begun.
 */
export function credentialMark(headers: Headers): string {
  const session = /ringmaster\.session_token=([^;]+)/.exec(headers.get("cookie") ?? "")?.[1];
  const credential = headers.get("authorization") ?? session ?? "";
  return createHash("sha256").update(`credential\0${credential}`).digest("hex");
}
