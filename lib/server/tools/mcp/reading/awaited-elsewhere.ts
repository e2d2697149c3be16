import type { RequestId } from "./read-message";

/** After its stream has ended, the protocol library opens another within about three seconds. */
const NEXT_STREAM_MS = 10_000;

/** Requests that may be answered on another stream than their own, and the streams that could carry such answers. */
export interface AwaitedElsewhere {
  /** Is sent; an answer on a stream may come before that of the request itself. */
  add(id: RequestId): void;
  /** Was accepted without an answer. */
  accept(id: RequestId): void;
  /** As the answer names it: some servers write a number as text. */
  answered(id: unknown): void;
  /** The only one that waits. */
  only(): RequestId | undefined;
  /** A stream is being opened; the function says that there is none, or no more. */
  openStream(): { readonly opened: () => void; readonly ended: () => void };
}

/**
 * The protocol wants every request answered where it was sent, but older servers accept it and answer on the stream
 * that the client listens to. `onUnanswerable` is called for each accepted request once no stream is left for that.
 */
export function awaitElsewhere(onUnanswerable: (id: RequestId) => void): AwaitedElsewhere {
  const waiting = new Map<RequestId, { isAccepted: boolean }>();
  let streams = 0;
  let wasOpen = false;
  let timer: NodeJS.Timeout | undefined;
  const giveUp = () => {
    const lost = [...waiting].filter(([, { isAccepted }]) => isAccepted);
    for (const [id] of lost) {
      waiting.delete(id);
      onUnanswerable(id);
    }
  };
  const look = () => {
    clearTimeout(timer);
    if (streams > 0 || waiting.size === 0) return;
    if (!wasOpen) return giveUp();
    timer = setTimeout(giveUp, NEXT_STREAM_MS);
    timer.unref();
  };
  return {
    add: (id) => void waiting.set(id, { isAccepted: false }),
    accept(id) {
      const request = waiting.get(id);
      if (request) request.isAccepted = true;
      look();
    },
    answered(id) {
      for (const known of waiting.keys()) if (String(known) === String(id)) waiting.delete(known);
    },
    only: () => (waiting.size === 1 ? waiting.keys().next().value : undefined),
    openStream() {
      streams += 1;
      let isOver = false;
      clearTimeout(timer);
      return {
        opened() {
          wasOpen = true;
        },
        ended() {
          if (isOver) return;
          isOver = true;
          streams -= 1;
          look();
        },
      };
    },
  };
}
