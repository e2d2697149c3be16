import { createParser, type EventSourceMessage } from "eventsource-parser";
import { vi } from "vitest";
import { readThreadFrame, type ThreadFrame } from "@/lib/schema/threads/thread-stream";

/** An open event stream and the events received so far. */
export interface StreamReader {
  readonly events: readonly EventSourceMessage[];
  /** Whether the server has ended or aborted the stream. */
  readonly isOver: boolean;
  /** Resolves once the received events satisfy `check`. */
  until(check: (events: readonly EventSourceMessage[]) => boolean): Promise<void>;
  close(): Promise<void>;
}

/** Reads an event stream for as long as it is open. */
export function readStream(reply: Response): StreamReader {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  const decoder = new TextDecoder();
  const reader = reply.body?.getReader();
  let isOver = false;
  const read = async () => {
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      parser.feed(decoder.decode(next.value, { stream: true }));
    }
  };
  const reading = read()
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
    });
  return {
    events,
    get isOver() {
      return isOver;
    },
    async until(check) {
      await vi.waitUntil(() => check(events), { timeout: 30_000, interval: 5 });
    },
    async close() {
      await reader?.cancel().catch(() => undefined);
      await reading;
    },
  };
}

/** How many events or thread frames with that name have arrived. */
export function countEvents(events: readonly EventSourceMessage[], name: string): number {
  return events.filter((event) => (event.event ?? frameIn(event)?.kind) === name).length;
}

/** The thread's frame in an event; null for a chunk of a run. */
export function frameIn({ data }: EventSourceMessage): ThreadFrame | null {
  return data.startsWith("{") ? readThreadFrame(JSON.parse(data)) : null;
}
