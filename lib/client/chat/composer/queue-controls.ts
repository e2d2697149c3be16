import type { QueuedMessage } from "@/lib/client/chat/thread-state";
import type { QueuePatch } from "@/lib/schema/threads/queue";

/** The queue above the composer, and the actions on it. */
export interface QueueControls {
  readonly messages: readonly QueuedMessage[];
  /** An active run could read them. */
  readonly isSteerable: boolean;
  /** Resolves to whether it was changed; a refusal is shown. */
  readonly change: (id: string, patch: QueuePatch) => Promise<boolean>;
  /** Resolves to whether it was removed from the queue; the person can put it back in its place. */
  readonly remove: (message: QueuedMessage, position: number) => Promise<boolean>;
  readonly focusField: () => void;
}
