import type { QueuedMessage } from "@/lib/client/chat/thread-state";
import type { QueuePatch } from "@/lib/schema/threads/queue";

/** The queue above the composer, and what a person can do with it. */
export interface QueueControls {
  readonly messages: readonly QueuedMessage[];
  /** An active run could read them. */
  readonly isSteerable: boolean;
  /** Resolves to whether it was changed; a refusal is shown. */
  readonly change: (id: string, patch: QueuePatch) => Promise<boolean>;
  /** Resolves to whether it is out of the queue, with a way back to its place there. */
  readonly remove: (message: QueuedMessage, position: number) => Promise<boolean>;
  readonly focusField: () => void;
}
