import { once } from "node:events";
import { ImapFlow } from "imapflow";
import type { EmailCredentials } from "@/lib/schema/channels/channel-credentials";
import { isLoopback } from "@/lib/schema/loopback";
import { ChannelRefused } from "@/lib/server/triggers/channels/channel";
import type { StoredMail } from "./read-mail";

const TIMEOUT_MS = 10_000;
/** The polling interval if the server announces nothing. */
const POLL_MS = 60_000;
/** Larger mails are not loaded. */
const MAX_MAIL_BYTES = 25 * 1_048_576;
const DAY_MS = 86_400_000;
const FULL_PERCENT = 100;

/** The position in a mailbox: its UIDVALIDITY, and the last UID that was read. */
interface Place {
  readonly validity: string;
  readonly uid: number;
}

type Take = (mail: StoredMail | { readonly offset: string; readonly tooLarge: boolean }) => Promise<void>;

interface Following {
  /** The last stored `offset`; null at the beginning. */
  readonly offset: string | null;
  readonly take: Take;
  readonly signal: AbortSignal;
}

/** Throws the reason why the mailbox can't be read, or can't receive mail. */
export async function testMailbox(credentials: EmailCredentials): Promise<void> {
  await withMailbox(credentials, requireRoom);
}

/**
 * Passes each mail to `take`, in order, until `signal` aborts: immediately with IDLE, otherwise within a minute. A
 * mailbox read for the first time starts with mail arriving from now on. Throws the reason for ending; the caller waits
 * before the next attempt.
 */
export async function followMailbox(credentials: EmailCredentials, following: Following): Promise<void> {
  const { signal, take } = following;
  await withMailbox(credentials, async (client) => {
    let place = await firstPlace(client, following);
    await take({ offset: writePlace(place), tooLarge: false });
    const close = () => client.close();
    signal.addEventListener("abort", close, { once: true });
    const nextNews = watchNews(client);
    try {
      while (!signal.aborted) {
        place = await readNew(client, place, following);
        await requireRoom(client);
        await nextNews(signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      signal.removeEventListener("abort", close);
    }
  });
}

function writePlace({ validity, uid }: Place): string {
  return `${validity}:${uid}`;
}

/**
 * The position to continue from. A rebuilt mailbox (another UIDVALIDITY) is read from yesterday on: its mails are
 * deduplicated by Message-ID.
 */
async function firstPlace(client: ImapFlow, { offset }: Following): Promise<Place> {
  const box = openBox(client);
  const validity = String(box.uidValidity);
  const [known, uid] = offset?.split(":") ?? [];
  if (known === undefined || uid === undefined) return { validity, uid: box.uidNext - 1 };
  if (known === validity) return { validity, uid: Number(uid) };
  const since = new Date(Date.now() - DAY_MS);
  const recent = (await client.search({ since }, { uid: true })) || [];
  return { validity, uid: recent.length === 0 ? box.uidNext - 1 : Math.min(...recent) - 1 };
}

function openBox(client: ImapFlow) {
  if (client.mailbox === false) throw new Error("The mailbox was closed.");
  return client.mailbox;
}

async function readNew(client: ImapFlow, place: Place, { take, signal }: Following): Promise<Place> {
  const { validity } = place;
  let { uid } = place;
  const found = (await client.search({ uid: `${uid + 1}:*` }, { uid: true })) || [];
  // `n:*` includes the last mail even if its UID is smaller.
  for (const next of found.filter((one) => one > uid).sort((left, right) => left - right)) {
    if (signal.aborted) break;
    const offset = writePlace({ validity, uid: next });
    const head = await client.fetchOne(String(next), { size: true }, { uid: true });
    const isLarge = head !== false && (head.size ?? 0) > MAX_MAIL_BYTES;
    const mail = isLarge ? false : await client.fetchOne(String(next), { source: true }, { uid: true });
    // Skips a mail deleted since.
    const bytes = mail === false ? undefined : mail.source;
    await take(bytes === undefined ? { offset, tooLarge: isLarge } : { offset, bytes });
    uid = next;
  }
  return { validity, uid };
}

/**
 * Returns a function that waits for news since its last call: the server may announce new mail in the answer to any
 * command.
 */
function watchNews(client: ImapFlow): (signal: AbortSignal) => Promise<void> {
  let hasCome = false;
  client.on("exists", () => {
    hasCome = true;
  });
  return async (signal) => {
    if (!hasCome) await newsOf(client, signal);
    hasCome = false;
  };
}

/** Resolves when the server announces new mail, or after a minute; throws if the connection has ended. */
async function newsOf(client: ImapFlow, signal: AbortSignal): Promise<void> {
  const stop = new AbortController();
  const ends = AbortSignal.any([signal, stop.signal, AbortSignal.timeout(POLL_MS)]);
  const arrived = once(client, "exists", { signal: ends }).catch(() => undefined);
  const closed = once(client, "close", { signal: ends }).then(
    () => "closed" as const,
    () => undefined,
  );
  void client.idle().catch(() => undefined);
  const ended = await Promise.race([arrived, closed]);
  stop.abort();
  if (ended === "closed" || !client.usable) throw new Error("The mail server has ended the connection.");
}

/** Throws for a full mailbox: mail to it bounces. */
async function requireRoom(client: ImapFlow): Promise<void> {
  if (!client.capabilities.has("QUOTA")) return;
  const quota = await client.getQuota("INBOX");
  const storage = quota ? quota.storage : undefined;
  const percent = storage?.limit ? Math.round((100 * (storage.usage ?? 0)) / storage.limit) : 0;
  if (percent >= FULL_PERCENT) {
    throw new Error(
      `The mailbox is full (${percent} %): mail to it comes back. Delete mail there, or give it more room.`,
    );
  }
}

async function withMailbox(credentials: EmailCredentials, work: (client: ImapFlow) => Promise<void>): Promise<void> {
  const { host, port, secure, user, password } = credentials.imap;
  const client = new ImapFlow({
    host,
    port,
    secure,
    auth: { user, pass: password },
    logger: false,
    // Never unencrypted over a network, whatever the server offers.
    ...(secure || isLoopback(host) ? {} : { doSTARTTLS: true }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: 2 * POLL_MS,
    disableAutoIdle: true,
    maxIdleTime: POLL_MS,
    maxLiteralSize: MAX_MAIL_BYTES + 1_048_576,
  });
  // An error event without a listener would end the process; each call rejects with the error as well.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.mailboxOpen("INBOX");
    await work(client);
    await client.logout().catch(() => undefined);
  } catch (error) {
    throw explain(error, credentials);
  } finally {
    client.close();
  }
}

interface ImapFailure {
  readonly code: string;
  readonly said: string;
  readonly isRefused: boolean;
}

function factsOf(error: Error): ImapFailure {
  const part = (name: string) =>
    name in error ? String((error as unknown as Record<string, unknown>)[name] ?? "") : "";
  const said = (part("responseText") || error.message).trim().replace(/\.$/, "");
  return { code: part("code"), said, isRefused: part("authenticationFailed") === "true" };
}

function explain(error: unknown, { imap: { host, port, secure } }: EmailCredentials): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const { code, said, isRefused } = factsOf(error);
  const place = `${host}:${port}`;
  if (isRefused) return new ChannelRefused(`${host} refused user and password: ${said}. Enter them again.`);
  if (/ENOTFOUND|EAI_AGAIN/.test(code)) return new Error(`${host} can't be found. Check the host of IMAP.`);
  if (/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ECONNRESET/.test(code)) {
    return new Error(`${place} takes no connection (${code}). Check host and port of IMAP.`);
  }
  if (/TIMEOUT/i.test(code)) return new Error(`${place} did not answer as a mail server. Check host, port and TLS.`);
  if (/SSL|TLS|CERT|wrong version/i.test(`${code} ${said}`)) {
    return new Error(`${place} did not agree on ${secure ? "TLS" : "STARTTLS"}: ${said}. Check port and TLS.`);
  }
  return error;
}
