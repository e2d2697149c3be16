import { createHash } from "node:crypto";
import type { OutgoingTarget } from "@/lib/schema/triggers/outgoing-target";

/** A deterministic id, identical for everyone who sees the same event, so that it is delivered once. */
export function deliveryId(runId: string, target: OutgoingTarget): string {
  const hash = createHash("sha256").update(`${runId}\n${JSON.stringify(target)}`);
  return `dlv_${hash.digest("hex").slice(0, 32)}`;
}
