import type { DeliveryTarget } from "@/lib/schema/triggers/delivery-target";
import type { Database } from "@/lib/server/platform/db/database";

/** What leaves, as a sender gets it. */
export interface Outgoing {
  /** The key by which a receiver knows a repeat. */
  readonly id: string;
  readonly runId: string;
  readonly ownerId: string;
  readonly target: DeliveryTarget;
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
