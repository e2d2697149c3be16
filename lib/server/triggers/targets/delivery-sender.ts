import type { OutgoingTarget } from "@/lib/schema/triggers/outgoing-target";
import type { Database } from "@/lib/server/platform/db/database";

/** What leaves, as a sender gets it. */
export interface Outgoing {
  /** The key by which a receiver knows a repeat. */
  readonly id: string;
  readonly runId: string;
  readonly ownerId: string;
  readonly target: OutgoingTarget;
  readonly body: string;
  /** An earlier attempt may have arrived, and the receiver can't tell: the text has to say so. */
  readonly isRepeat: boolean;
}

/** Sends to one kind of target. */
export interface DeliverySender {
  /** The receiver drops a delivery whose id it has seen. */
  readonly dropsRepeats: boolean;
  /** Throws when it did not arrive; the message stands on the page. */
  send(database: Database, outgoing: Outgoing): Promise<void>;
}

/** Thrown by a sender that has nothing to send any more, or nowhere to: it is not tried again, and the page says why. */
export class DeliveryDropped extends Error {
  override readonly name = "DeliveryDropped";
}

/** Thrown by a sender whose receiver asked to wait: it is tried again then, and the attempt does not count. */
export class DeliveryDelayed extends Error {
  override readonly name = "DeliveryDelayed";
  readonly afterMs: number;
  constructor(message: string, afterMs: number) {
    super(message);
    this.afterMs = afterMs;
  }
}

/** By name: Next loads this module twice. */
export function isDeliveryDelayed(error: unknown): error is DeliveryDelayed {
  return error instanceof Error && error.name === "DeliveryDelayed";
}
