import "server-only";
import { announceAccess, onAccessElsewhere } from "@/lib/server/engine/log/signals";
import { checkReaders } from "@/lib/server/http/event-stream";

/** Call after a session, a key or a person has ended: open streams of theirs end now, in every process. */
export function accessEnded(): void {
  checkReaders();
  announceAccess();
}

/** Ends the streams of this process when another one has taken access away. */
export function followEndedAccess(): void {
  onAccessElsewhere(checkReaders);
}
