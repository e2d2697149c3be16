import { z } from "zod";
import { createGuardedFetch } from "@/lib/server/platform/guarded-fetch";
import { ChannelBusy, ChannelRefused, type Connection } from "@/lib/server/triggers/channels/channel";

const SLACK_API = "https://slack.com/api";
const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 1_048_576;
const DEFAULT_WAIT_SECONDS = 30;
/** The hosts that may receive the bot's token to download files. */
const SLACK_HOSTS = /(?:^|\.)(?:slack\.com|slack-files\.com|slack-edge\.com)$/;

const Answer = z.looseObject({ ok: z.boolean(), error: z.string().optional() });

const ADD_SCOPE = "Add it under OAuth & Permissions at Slack, then install the app again.";

/** Errors of a token that is no longer valid: only a person can fix that. */
const REFUSED: Readonly<Record<string, string>> = {
  not_authed: "Slack got no token.",
  invalid_auth: "Slack does not know the token. Copy it again from the app's page at Slack.",
  account_inactive: "The app or its workspace was deactivated at Slack. Install the app again.",
  token_revoked: "The token was revoked at Slack. Install the app again and enter its new token.",
  token_expired: "The token has expired. Install the app again and enter its new token.",
  not_allowed_token_type: "This is a token of another kind. The bot's begins with xoxb-, the app's with xapp-.",
  missing_scope: `The app lacks a scope. ${ADD_SCOPE}`,
};

/** Other common errors of Slack, each with its remedy. */
const HELP: Readonly<Record<string, string>> = {
  channel_not_found: "The channel is gone, or the bot was removed from it.",
  not_in_channel: "Invite the bot to the channel first.",
  is_archived: "The channel has been archived.",
  message_not_found: "The message was deleted.",
  cant_update_message: "The message is not the bot's.",
};

interface Call<Fields extends z.ZodRawShape> {
  readonly method: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly reply: z.ZodObject<Fields>;
  /** The scopes the token must have; Slack reports the actual ones with each answer. */
  readonly scopes?: readonly string[];
  /** Default: the bot's token. */
  readonly token?: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** Calls one method of Slack's Web API. Throws `ChannelBusy`, `ChannelRefused`, or Slack's error. */
export async function callSlack<Fields extends z.ZodRawShape>(
  connection: Connection,
  { method, fields, reply, scopes = [], token, signal, timeoutMs = TIMEOUT_MS }: Call<Fields>,
): Promise<z.output<z.ZodObject<Fields>>> {
  const { status, text, retryAfter, given } = await slackRequest(connection, `${apiRootOf(connection)}/${method}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token ?? slackCredentials(connection).token}`,
      "content-type": "application/x-www-form-urlencoded; charset=utf-8",
    },
    body: new URLSearchParams(fields).toString(),
    signal: withTimeout(signal, timeoutMs),
  });
  if (status === 429) throw busy(retryAfter);
  const answer = parseAnswer(text);
  if (answer === null) throw new Error(`Slack answered ${method} with HTTP status ${status}.`);
  if (!answer.ok) throw failure(method, answer.error ?? "unknown_error", retryAfter);
  const missing = given === null ? [] : scopes.filter((scope) => !given.includes(scope));
  if (missing.length > 0) throw new ChannelRefused(`The app lacks ${missing.join(", ")}. ${ADD_SCOPE}`);
  return reply.parse(answer);
}

function parseAnswer(text: string): z.output<typeof Answer> | null {
  try {
    return Answer.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function failure(method: string, error: string, retryAfter: string | null): Error {
  if (error === "ratelimited") return busy(retryAfter);
  const refused = REFUSED[error];
  if (refused !== undefined) return new ChannelRefused(`${refused} (${method}: ${error})`);
  const help = HELP[error];
  return new Error(`Slack answered ${method} with ${error}.${help === undefined ? "" : ` ${help}`}`);
}

function busy(retryAfter: string | null): ChannelBusy {
  const seconds = Number(retryAfter);
  const wait = retryAfter !== null && Number.isFinite(seconds) && seconds >= 0 ? seconds : DEFAULT_WAIT_SECONDS;
  return new ChannelBusy(`Slack asks to wait ${wait} s.`, wait);
}

/** Uploads bytes to the address given by Slack, which has its own secret and gets no token. */
export async function uploadToSlack(connection: Connection, url: string, bytes: Uint8Array): Promise<void> {
  requireSlackHost(connection, url);
  const headers = { "content-type": "application/octet-stream" };
  const body = Buffer.from(bytes);
  const signal = withTimeout(undefined, 6 * TIMEOUT_MS);
  const { status, retryAfter } = await slackRequest(connection, url, { method: "POST", headers, body, signal });
  if (status === 429) throw busy(retryAfter);
  if (status < 200 || status >= 300) throw new Error(`Slack answered the upload with HTTP status ${status}.`);
}

interface Download {
  readonly url: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** Downloads a file sent by a person. The bot's token goes to Slack's own hosts only. */
export async function downloadFromSlack(connection: Connection, { url, maxBytes, signal }: Download) {
  requireSlackHost(connection, url);
  const guarded = createGuardedFetch(connection);
  try {
    const response = await guarded.fetch(url, {
      headers: { authorization: `Bearer ${slackCredentials(connection).token}` },
      signal: withTimeout(signal, 6 * TIMEOUT_MS),
    });
    if (response.status === 429) throw busy(response.headers.get("retry-after"));
    const isPage = response.headers.get("content-type")?.startsWith("text/html") ?? false;
    if (response.status !== 200 || isPage) {
      const what = isPage
        ? "a page for signing in. Give the app the scope files:read"
        : `HTTP status ${response.status}`;
      throw new Error(`Slack answered with ${what}.`);
    }
    return await readLimited(response, maxBytes);
  } finally {
    await guarded.close();
  }
}

/** Throws for an address that must receive neither the bot's token nor a file. */
function requireSlackHost({ apiRoot }: Connection, address: string): void {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isOwn = apiRoot !== null && url?.origin === new URL(apiRoot).origin;
  if (isOwn || (url?.protocol === "https:" && SLACK_HOSTS.test(url.hostname))) return;
  throw new Error(`${url?.host ?? "The address of the file"} does not belong to Slack.`);
}

async function slackRequest({ allowedPrivateHosts }: Connection, url: string, init: RequestInit) {
  const guarded = createGuardedFetch({ allowedPrivateHosts });
  try {
    const response = await guarded.fetch(url, init);
    const text = new TextDecoder().decode(await readLimited(response, MAX_ANSWER_BYTES));
    const given = response.headers.get("x-oauth-scopes")?.split(/,\s*/) ?? null;
    return { status: response.status, text, given, retryAfter: response.headers.get("retry-after") };
  } finally {
    await guarded.close();
  }
}

async function readLimited(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new Error(`What Slack sends is larger than ${maxBytes.toLocaleString("en-US")} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function withTimeout(signal: AbortSignal | undefined, timeoutMs: number): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
}

function apiRootOf({ apiRoot }: Connection): string {
  return apiRoot ?? SLACK_API;
}

export function slackCredentials({ credentials }: Connection) {
  if (credentials.kind !== "slack") throw new Error("These are not the credentials of Slack.");
  return credentials;
}
