import { type ChannelPlace, PostgresChannel } from "@/lib/server/platform/db/postgres-channel";
import {
  followTopics,
  Notification,
  onNotification,
  receiveNotification,
  resync,
  resyncTopic,
  topicOf,
} from "./signals";

/**
 * Sends this process's announcements (`signals.ts`) to the other processes on the same Postgres, and receives theirs.
 * After a lost connection every reader checks again. Notifications only make things faster: a process that misses one
 * catches up at its next periodic check.
 */
export class PostgresNotifier {
  private readonly channel: PostgresChannel;
  private stops: readonly (() => void)[] = [];

  constructor(place: ChannelPlace) {
    this.channel = new PostgresChannel(place, {
      onPayload: receive,
      onListening: (topic) => (topic === undefined ? resync() : resyncTopic(topic)),
    });
  }

  /** Starts; resolves once the notifier listens, however long that takes. */
  async start(): Promise<void> {
    const { channel } = this;
    this.stops = [
      onNotification((notification) => channel.send(JSON.stringify(notification), topicOf(notification))),
      followTopics({ begin: (topic) => channel.listenTo(topic), end: (topic) => channel.stopListeningTo(topic) }),
    ];
    await this.channel.start();
  }

  /** Sends what is still pending, then ends. */
  async close(): Promise<void> {
    for (const stop of this.stops) stop();
    await this.channel.close();
  }
}

function receive(payload: string): void {
  const notification = Notification.safeParse(parseJson(payload));
  if (notification.success) receiveNotification(notification.data);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
