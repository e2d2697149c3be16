import "server-only";
import { randomUUID } from "node:crypto";
import type { Database } from "@/lib/server/platform/db/database";
import { leaseChannel, releaseChannel } from "@/lib/server/platform/db/queries/dispatch/channels";
import { logger } from "@/lib/server/platform/logger";
import { type Services, serviceState } from "@/lib/server/platform/services";
import { ChannelBusy, ChannelRefused, type InboundUpdate } from "@/lib/server/triggers/channels/channel";
import { type ChannelRow, openChannel } from "@/lib/server/triggers/channels/connection";
import { onChannelsChanged } from "@/lib/server/triggers/channels/links/linked-people";
import type { ChannelPorts } from "./received";

const LEASE_MS = 15_000;
const TICK_MS = 5_000;
/** After this time without a failure, a channel counts as connected again. */
const SOUND_MS = 10_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** The pause if the service refuses the credentials: only a person can fix that. */
const REFUSED_PAUSE_MS = 15 * 60_000;
const TEST_TIMEOUT_MS = 20_000;

interface Held {
  readonly stop: AbortController;
  /** The settings it was started with, as text: a change restarts it. */
  readonly fingerprint: string;
  done: Promise<void>;
}

/** The channels this process receives for, each by a lease on its row. */
class ChannelHolder {
  readonly #services: Services;
  readonly #ports: ChannelPorts;
  readonly #id = randomUUID();
  readonly #held = new Map<string, Held>();
  #timer: NodeJS.Timeout | null = null;
  #unsubscribe: (() => void) | null = null;
  #ticking: Promise<void> | null = null;
  #isStopped = false;

  constructor(services: Services, ports: ChannelPorts) {
    this.#services = services;
    this.#ports = ports;
  }

  /** Without channels, nothing is queried until one is added. */
  async start(): Promise<void> {
    this.#unsubscribe = onChannelsChanged(this.#services, () => this.#wake());
    await this.tick();
  }

  /** Stops receiving and releases the channels, so that another process can take them at once. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#unsubscribe?.();
    await this.#ticking;
    await Promise.all([...this.#held.keys()].map((id) => this.#end(id)));
  }

  /** Acquires free leases, renews held ones, and stops channels that were changed or lost. */
  async tick(): Promise<void> {
    this.#ticking ??= this.#look().finally(() => {
      this.#ticking = null;
    });
    await this.#ticking;
  }

  #wake(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.tick().catch((error: unknown) => logger().error({ err: error }, "could not look after the channels"));
    }, 0);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    if (this.#isStopped) return;
    let isHolding = true;
    try {
      isHolding = await this.#holdWanted();
    } finally {
      // After a failed query too: leases that are not renewed end.
      if (this.#timer) clearTimeout(this.#timer);
      this.#timer = isHolding && !this.#isStopped ? setTimeout(() => this.#wake(), TICK_MS).unref() : null;
    }
  }

  /** False if no channel is on. */
  async #holdWanted(): Promise<boolean> {
    const rows = await this.#services.database.channel.findMany({ orderBy: { id: "asc" } });
    const wanted = new Map(rows.filter(({ enabled }) => enabled).map((row) => [row.id, row]));
    for (const [id, { fingerprint }] of this.#held) {
      const row = wanted.get(id);
      if (!row || fingerprintOf(row) !== fingerprint) await this.#end(id);
    }
    for (const row of wanted.values()) await this.#hold(row);
    return wanted.size > 0;
  }

  async #hold(row: ChannelRow): Promise<void> {
    const isMine = await leaseChannel(this.#services.database, {
      channelId: row.id,
      holder: this.#id,
      holdMs: LEASE_MS,
    });
    if (!isMine) return void (await this.#end(row.id));
    if (this.#held.has(row.id)) return;
    const stop = new AbortController();
    const held: Held = { stop, fingerprint: fingerprintOf(row), done: Promise.resolve() };
    this.#held.set(row.id, held);
    held.done = receiveUntil(this.#services, row.id, this.#ports, stop.signal);
  }

  async #end(id: string): Promise<void> {
    const held = this.#held.get(id);
    if (!held) return;
    this.#held.delete(id);
    held.stop.abort();
    await held.done;
    await releaseChannel(this.#services.database, id, this.#id);
  }
}

const holders = serviceState("channel-holder", () => ({ current: null as ChannelHolder | null }));

/** Starts receiving for channels not held by another process. */
export async function startChannels(services: Services, ports: ChannelPorts): Promise<void> {
  const state = holders(services);
  if (state.current !== null) return;
  state.current = new ChannelHolder(services, ports);
  await state.current.start();
}

export async function stopChannels(services: Services): Promise<void> {
  const state = holders(services);
  await state.current?.stop();
  state.current = null;
}

function fingerprintOf({ credentials, apiRoot }: ChannelRow): string {
  return JSON.stringify([credentials, apiRoot]);
}

/** Receives, and retries after a failure with growing pauses. Never throws. */
async function receiveUntil(
  services: Services,
  channelId: string,
  ports: ChannelPorts,
  signal: AbortSignal,
): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    const beganAt = Date.now();
    try {
      await receive(services, channelId, ports, signal);
      if (!signal.aborted) await pause(FIRST_PAUSE_MS, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (Date.now() - beganAt > SOUND_MS) pauseMs = FIRST_PAUSE_MS;
      const waitMs = await noteFailure(services.database, channelId, error, pauseMs);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      await pause(waitMs, signal);
    }
  }
}

async function receive(services: Services, channelId: string, ports: ChannelPorts, signal: AbortSignal): Promise<void> {
  const row = await services.database.channel.findUnique({ where: { id: channelId } });
  if (!row) return;
  const { channel, connection } = await openChannel(row);
  const until = AbortSignal.any([signal, AbortSignal.timeout(TEST_TIMEOUT_MS)]);
  const { username } = await channel.test(connection, until);
  const now = new Date();
  const known = { username, connectedAt: row.connectedAt ?? now };
  await services.database.channel.updateMany({ where: { id: channelId }, data: known });
  const clear = () =>
    services.database.channel.updateMany({ where: { id: channelId }, data: { failedAt: null, error: null } });
  const sound = setTimeout(() => void clear().catch(() => undefined), row.failedAt === null ? 0 : SOUND_MS);
  sound.unref();
  // Loaded lazily: only a process that holds a channel handles its messages.
  const { receiveUpdate } = await import("./receive-update");
  try {
    const take = (update: InboundUpdate) => receiveUpdate(services, channelId, update, { ports });
    await channel.start({ ...connection, username }, take, signal);
  } finally {
    clearTimeout(sound);
  }
}

/** Returns how long to wait before the next attempt; the channel's page shows the service's message. */
async function noteFailure(database: Database, channelId: string, error: unknown, pauseMs: number): Promise<number> {
  const message = error instanceof Error ? error.message : String(error);
  const now = new Date();
  if (error instanceof ChannelBusy) {
    const data = { waitedAt: now, waitedSeconds: error.retryAfterSeconds };
    await database.channel.updateMany({ where: { id: channelId }, data });
    return error.retryAfterSeconds * 1_000;
  }
  logger().warn({ channelId, error: message }, "a channel can't receive");
  const data = { error: message, connectedAt: null };
  await database.channel.updateMany({ where: { id: channelId, failedAt: null }, data: { failedAt: now } });
  await database.channel.updateMany({ where: { id: channelId }, data });
  return error instanceof ChannelRefused ? REFUSED_PAUSE_MS : pauseMs;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener("abort", () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}
