import { SharedError } from "@/lib/schema/shared-error";
import type { OutgoingTarget } from "@/lib/schema/triggers/outgoing-target";
import type { Database } from "@/lib/server/platform/db/database";
import type { DeliveryRow } from "@/lib/server/platform/db/queries/dispatch/triggers";
import type { Services } from "@/lib/server/platform/services";

/** A delivery, as passed to a sender. */
export interface Outgoing {
  /** The idempotency key by which a receiver recognizes a repeat. */
  readonly id: string;
  readonly runId: string;
  readonly ownerId: string;
  readonly target: OutgoingTarget;
  readonly body: string;
  /** An earlier attempt may have arrived, and the receiver can't detect it: the text must say so. */
  readonly isRepeat: boolean;
}

/** Sends to one kind of target. */
export interface DeliverySender {
  /** The receiver drops a delivery whose id it has seen. */
  readonly dropsRepeats: boolean;
  /** When to look again, if another delivery has to arrive first; null if it may be sent now. */
  waitsUntil?(database: Database, delivery: DeliveryRow, now: Date): Promise<Date | null>;
  /** Throws if the delivery did not arrive; the message is shown on the page. */
  send(services: Services, outgoing: Outgoing): Promise<void>;
}

/**
 * Thrown by a sender that has nothing to send any more, or no target: it is not retried, and the page shows the reason.
 */
export class DeliveryDropped extends SharedError {
  static override readonly kind = "DeliveryDropped";
}

/** Thrown by a sender whose receiver asked to wait: the retry happens then, and the attempt does not count. */
export class DeliveryDelayed extends SharedError {
  static override readonly kind = "DeliveryDelayed";
  readonly afterMs: number;
  constructor(message: string, afterMs: number) {
    super(message);
    this.afterMs = afterMs;
  }
}
