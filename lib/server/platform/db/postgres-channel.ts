import { createHash } from "node:crypto";
import type pg from "pg";
import { logger } from "@/lib/server/platform/logger";
import { doubling, retry } from "@/lib/server/platform/retry";
import { totalConnections } from "./connections";
import type { Database } from "./database";
import { notifierName } from "./queries/dispatch/processes";

/** The channel that every process listens to. */
const CHANNEL = "ringmaster";
/** The number of channels shared by topics; a process only listens to those of its topics. */
const TOPIC_CHANNELS = 64;
/** A NOTIFY takes a lock that all commits of the server share, so many notifications are batched and sent rarely. */
const SEND_EVERY_MS = 75;
/** Postgres accepts less than 8,000. */
const MAX_PAYLOAD_BYTES = 7_900;
/** How many texts are kept while the connection is lost; readers check the database anyway. */
const MAX_WAITING = 1_000;
const TIMEOUT_MS = 5_000;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 2_000;

interface ChannelListener {
  /** Receives what another process has sent. */
  onPayload(payload: string): void;
  /**
   * Listening begins, to everything (the first time or after a lost connection) or to one more topic: earlier messages
   * were missed.
   */
  onListening(topic?: string): void;
}

/** The database whose processes send each other texts. */
export type ChannelPlace = Pick<Database, "url" | "connections">;

/** The channel that a topic shares with a 64th of all others. */
export function channelOf(topic: string): string {
  const hash = createHash("sha1").update(topic).digest().readUInt32BE(0);
  return `${CHANNEL}_${hash % TOPIC_CHANNELS}`;
}

/**
 * Texts that processes on the same Postgres send each other, over a separate connection (LISTEN is lost in a pooler's
 * transaction mode). A lost connection is reopened; texts sent in the meantime are lost.
 */
export class PostgresChannel {
  private client: pg.Client | null = null;
  /** The channel of each text. */
  private readonly waiting = new Map<string, string>();
  private readonly wanted = new Map<string, number>();
  private running: Promise<unknown> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;
  private sending: Promise<void> | null = null;
  private sentAt = 0;
  private closed = false;

  private readonly place: ChannelPlace;
  private readonly listener: ChannelListener;

  constructor(place: ChannelPlace, listener: ChannelListener) {
    this.place = place;
    this.listener = listener;
  }

  /** Starts; resolves once the channel listens, however long that takes. */
  async start(): Promise<void> {
    await this.connect();
  }

  /** Sends what is still pending, then ends. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.sending;
    await this.flush();
    await this.client?.end().catch(() => undefined);
  }

  /**
   * Sends to the other processes soon, or only to those that listen to the topic. Drops a text that is too long, or
   * that exceeds the limit while the connection is lost.
   */
  send(payload: string, topic?: string): void {
    if (this.waiting.size >= MAX_WAITING || Buffer.byteLength(payload) > MAX_PAYLOAD_BYTES) return;
    this.waiting.set(payload, topic === undefined ? CHANNEL : channelOf(topic));
    this.schedule();
  }

  /** Also listens to the topic from now on; resolves once it does, or at once while the connection is lost. */
  async listenTo(topic: string): Promise<void> {
    const channel = channelOf(topic);
    const count = this.wanted.get(channel) ?? 0;
    this.wanted.set(channel, count + 1);
    const { client } = this;
    if (!client) return;
    // The queries before it may contain the one for this channel.
    if (count > 0) return void (await this.running);
    try {
      await this.query(client, `LISTEN ${channel}`);
      this.listener.onListening(topic);
    } catch (error) {
      this.lose(client, error);
    }
  }

  /** Undoes one `listenTo`. */
  stopListeningTo(topic: string): void {
    const channel = channelOf(topic);
    const count = (this.wanted.get(channel) ?? 0) - 1;
    if (count > 0) return void this.wanted.set(channel, count);
    this.wanted.delete(channel);
    const { client } = this;
    if (client) this.query(client, `UNLISTEN ${channel}`).catch((error: unknown) => this.lose(client, error));
  }

  /** One after the other: a pg client does not accept a second query while one is running. */
  private query(client: pg.Client, text: string, values?: readonly unknown[]): Promise<unknown> {
    const result = this.running.then(() => client.query(text, values && [...values]));
    this.running = result.catch(() => undefined);
    return result;
  }

  private schedule(): void {
    if (this.timer || this.sending || !this.client || this.waiting.size === 0 || this.closed) return;
    const delayMs = Math.max(0, this.sentAt + SEND_EVERY_MS - Date.now());
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.sending = this.flush().finally(() => {
        this.sending = null;
        this.schedule();
      });
    }, delayMs);
    this.timer.unref();
  }

  private async flush(): Promise<void> {
    const { client, waiting } = this;
    if (!client || waiting.size === 0) return;
    const sent = [...waiting];
    waiting.clear();
    this.sentAt = Date.now();
    try {
      await this.query(
        client,
        "select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as n(channel, payload)",
        [sent.map(([, channel]) => channel), sent.map(([payload]) => payload)],
      );
    } catch (error) {
      for (const [payload, channel] of sent) waiting.set(payload, channel);
      this.lose(client, error);
    }
  }

  private async connect(): Promise<void> {
    let failures = 0;
    const listen = async () => {
      if (this.closed) return;
      const client = await this.createClient();
      if (this.closed) return;
      try {
        await client.connect();
        const channels = new Set([CHANNEL, ...this.wanted.keys()]);
        await client.query(listenStatement(channels));
        if (this.closed) return void (await client.end());
        this.client = client;
        const later = [...this.wanted.keys()].filter((channel) => !channels.has(channel));
        if (later.length > 0) await this.query(client, listenStatement(later));
        this.listener.onListening();
        this.schedule();
      } catch (error) {
        if (failures === 0) logger().warn({ err: error }, "can't listen to the other processes; trying again");
        failures += 1;
        await client.end().catch(() => undefined);
        throw error;
      }
    };
    await retry(listen, { when: () => true, delays: doubling(FIRST_RETRY_MS, LONGEST_RETRY_MS) });
  }

  private async createClient(): Promise<pg.Client> {
    // Only here: on SQLite, where there is no channel, a start would load it for nothing.
    const { Client } = (await import("pg")).default;
    const client = new Client({
      connectionString: this.place.url,
      application_name: notifierName(totalConnections(this.place.connections)),
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: TIMEOUT_MS,
    });
    client.on("notification", ({ payload, processId }) => {
      // Postgres also names the sender.
      if (processId !== backendOf(client)) this.listener.onPayload(payload ?? "");
    });
    client.on("error", (error) => this.lose(client, error));
    client.on("end", () => this.lose(client, null));
    return client;
  }

  private lose(client: pg.Client, error: unknown): void {
    if (this.client !== client) return;
    this.client = null;
    if (this.closed) return;
    logger().warn({ err: error }, "lost the connection that listens to the other processes");
    void client.end().catch(() => undefined);
    void this.connect();
  }
}

function listenStatement(channels: Iterable<string>): string {
  return [...channels].map((channel) => `LISTEN ${channel}`).join(";");
}

/** The process id of the client's backend, which pg's types omit. */
function backendOf(client: pg.Client): unknown {
  return "processID" in client ? client.processID : null;
}
