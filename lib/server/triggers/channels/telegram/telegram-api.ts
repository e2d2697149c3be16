import { createHash } from "node:crypto";
import http from "node:http";
import https from "node:https";
import { Api, GrammyError, HttpError } from "grammy";
import { Agent, request } from "undici";
import { TelegramCredentials } from "@/lib/schema/channels/channel-credentials";
import { SharedError } from "@/lib/schema/shared-error";
import { checkDestination, OutgoingRequestRefused, pinTo } from "@/lib/server/platform/safe-fetch";
import { ChannelBusy, ChannelRefused, type Connection } from "@/lib/server/triggers/channels/channel";

const API_ROOT = "https://api.telegram.org";

/** The time limit of a call, in addition to the seconds that a poll waits. */
const CALL_SECONDS = 30;
export const POLL_SECONDS = 25;

export function credentialsOf({ credentials }: Connection): TelegramCredentials {
  return TelegramCredentials.parse(credentials);
}

/** The secret that Telegram sends with each request to the hook: known to both sides, stored nowhere. */
export function hookSecret(connection: Connection): string {
  return createHash("sha256")
    .update(`hook\n${credentialsOf(connection).token}`)
    .digest("hex");
}

/** The client, connected to the address just checked. Throws `OutgoingRequestRefused`. */
async function openApi(connection: Connection): Promise<Api> {
  const apiRoot = connection.apiRoot ?? API_ROOT;
  const destination = await checkDestination(apiRoot, connection);
  const module = apiRoot.startsWith("https:") ? https : http;
  const agent = new module.Agent({ lookup: pinTo(destination) });
  return new Api(credentialsOf(connection).token, {
    apiRoot,
    timeoutSeconds: CALL_SECONDS + POLL_SECONDS,
    baseFetchConfig: { agent, redirect: "error" },
  });
}

/** One call, or several that belong together. Throws the errors defined by the channel interface. */
export async function callTelegram<Result>(
  connection: Connection,
  call: (api: Api) => Promise<Result>,
): Promise<Result> {
  try {
    return await call(await openApi(connection));
  } catch (error) {
    throw translate(error);
  }
}

/** The group has become a supergroup, which has another id. */
export class ChatMoved extends SharedError {
  static override readonly kind = "ChatMoved";
  readonly chatId: string;
  constructor(message: string, chatId: string) {
    super(message);
    this.chatId = chatId;
  }
}

/** Without the client's own errors as causes: they contain the token in the address, and what was to be sent. */
function translate(error: unknown): unknown {
  if (error instanceof GrammyError) {
    const words = `Telegram says: ${error.description}`;
    const movedTo = error.parameters.migrate_to_chat_id;
    if (movedTo !== undefined) return new ChatMoved(words, String(movedTo));
    if (error.error_code === 429) return new ChannelBusy(words, error.parameters.retry_after ?? 1);
    if (error.error_code === 401 || (error.error_code === 404 && error.description === "Not Found"))
      return new ChannelRefused(`${words}. Replace the token.`);
    return new Error(words);
  }
  if (error instanceof HttpError) return new Error("Telegram can't be reached.");
  return error;
}

/** The client's types use the signals of an older package; it accepts Node's own. */
export function clientSignal(signal: AbortSignal): NonNullable<Parameters<Api["getMe"]>[0]> {
  return signal as unknown as NonNullable<Parameters<Api["getMe"]>[0]>;
}

export function isNotModified(error: unknown): boolean {
  return error instanceof Error && error.message.includes("message is not modified");
}

export function isUnreadableFormat(error: unknown): boolean {
  return error instanceof Error && error.message.includes("can't parse entities");
}

/** The bytes of a file sent to the bot. */
export async function downloadFile(
  connection: Connection,
  fileId: string,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<Uint8Array> {
  const { file_path: path } = await callTelegram(connection, (api) => api.getFile(fileId));
  if (path === undefined) throw new Error("Telegram no longer has the file.");
  const url = `${connection.apiRoot ?? API_ROOT}/file/bot${credentialsOf(connection).token}/${path}`;
  const destination = await checkDestination(url, connection);
  const dispatcher = new Agent({ connect: { lookup: pinTo(destination) }, maxResponseSize: maxBytes });
  try {
    const answer = await request(destination.url, { dispatcher, signal });
    if (answer.statusCode !== 200) throw new Error(`Telegram answered with HTTP status ${answer.statusCode}.`);
    return new Uint8Array(await answer.body.arrayBuffer());
  } catch (error) {
    // The address contains the token: no message may include it.
    const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new OutgoingRequestRefused(`The file could not be read from Telegram${code}.`);
  } finally {
    await dispatcher.destroy();
  }
}
