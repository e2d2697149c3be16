import type { QueuedMessage } from "@/lib/client/chat/thread-state";
import type { QueuePatch } from "@/lib/schema/threads/queue";
import type { HeldMessage } from "@/lib/schema/threads/thread";

/** The queue above the composer, and the actions on it. */
export interface QueueControls {
  readonly messages: readonly QueuedMessage[];
  /** An active run could read them. */
  readonly isSteerable: boolean;
  /** Resolves to whether it was changed; a refusal is shown. */
  readonly change: (id: string, patch: QueuePatch) => Promise<boolean>;
  /** Resolves to whether it was removed from the queue; the person can put it back in its place. */
  readonly remove: (message: QueuedMessage, position: number) => Promise<boolean>;
  /** Keeps words for a message that can no longer be changed. */
  readonly keep: (text: string) => void;
  readonly focusField: () => void;
}

/** The messages that a stop has held, and the actions on them. Each resolves to whether it was done. */
export interface HeldControls {
  readonly messages: readonly HeldMessage[];
  /** Sends all of one's own in order, or only one. */
  readonly send: (id?: string) => Promise<boolean>;
  readonly change: (id: string, content: string) => Promise<boolean>;
  /** The person can put its text back into the composer. */
  readonly drop: (message: HeldMessage) => Promise<boolean>;
  readonly keep: (text: string) => void;
  readonly focusField: () => void;
}
