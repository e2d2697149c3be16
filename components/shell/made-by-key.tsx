import { madeByKeyLabel } from "@/lib/client/users/made-by-key";
import type { MadeByKey } from "@/lib/schema/users/api-key";

/** One line about the API key that something was made with; nothing without one. */
export function MadeByKeyLine({ apiKey, className = "" }: { apiKey: MadeByKey | null; className?: string }) {
  const words = madeByKeyLabel(apiKey);
  if (words === null) return null;
  const tone = apiKey?.state === "valid" ? "text-muted" : "text-fail-text";
  return <span className={`block text-xs ${tone} ${className}`}>{words}</span>;
}
