import "server-only";
import { announceAccess, onAccessElsewhere } from "@/lib/server/engine/log/signals";
import { checkReaders } from "@/lib/server/http/event-stream";
import type { Services } from "@/lib/server/platform/services";

/** Call after a session or key has ended or a person has lost access: their open streams end now, in every process. */
export function accessEnded(services: Services): void {
  checkReaders(services);
  announceAccess();
}

/** Ends the streams of this process when another process has revoked access. */
export function followEndedAccess(services: Services): void {
  onAccessElsewhere(() => checkReaders(services));
}
