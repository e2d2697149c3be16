import type { FollowOptions, StreamUpdate } from "@/lib/api-client/follow-events";
import { randomId } from "@/lib/client/ui/random-id";
import { followEvents } from "./event-stream";

export interface SharedStreamOptions extends FollowOptions {
  /** Whose stream it is: another person may have signed in from this browser since a tab was opened. */
  readonly userId: string;
  /** Called in each tab with what arrives, until `signal` aborts. */
  readonly onUpdate: (update: StreamUpdate) => void;
  /** What the reading tab tells a tab that begins to listen. */
  readonly greet: () => readonly StreamUpdate[];
}

/** `to` is null for all. */
type TabMessage = { readonly from: string } | { readonly to: string | null; readonly update: StreamUpdate };

/**
 * Follows a user's stream over one connection for all of their tabs in this browser: over HTTP/1.1 it opens only six per host, and
 * each tab needs others. The tab that holds the lock reads and passes on what arrives; once its `signal` aborts, or it
 * is closed, another takes over. Where a browser has no locks, as on a page over plain HTTP from another machine, each
 * tab has its own connection. Throws ApiError if the server refuses.
 */
export async function followShared(path: string, options: SharedStreamOptions): Promise<void> {
  const { userId, signal, onUpdate, greet } = options;
  const locks: LockManager | undefined = navigator.locks;
  if (!locks) return read(path, options, onUpdate);
  const name = `${path} ${userId}`;
  const channel = new BroadcastChannel(name);
  const id = randomId();
  const say = (message: TabMessage) => channel.postMessage(message);
  let isReading = false;
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (signal.aborted) return;
    if ("from" in data) {
      if (isReading) for (const update of greet()) say({ to: data.from, update });
    } else if (!isReading && (data.to === null || data.to === id)) onUpdate(data.update);
  };
  say({ from: id });
  try {
    await locks.request(name, { signal }, async () => {
      isReading = true;
      await read(path, options, (update) => {
        onUpdate(update);
        say({ to: null, update });
      });
    });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    channel.close();
  }
}

async function read(path: string, options: FollowOptions, take: (update: StreamUpdate) => void): Promise<void> {
  for await (const update of followEvents(path, options)) {
    if (options.signal.aborted) return;
    take(update);
  }
}
