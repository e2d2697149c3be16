import { z } from "zod";
import {
  type Button,
  type Channel,
  ChannelForged,
  ChannelRefused,
  type Connection,
  type InboundUpdate,
  type OutboundFile,
  type OutboundMessage,
} from "@/lib/server/triggers/channels/channel";
import { splitText } from "@/lib/server/triggers/channels/split-text";
import { callSlack, slackCredentials, uploadToSlack } from "./slack-api";
import { MAX_FILE_BYTES } from "./slack-attachments";
import { readSlackPayload } from "./slack-events";
import { prepareSocket, receiveBySocket } from "./slack-socket";
import { toMrkdwn } from "./slack-text";
import { whyForged } from "./verify-slack";

/** Slack recommends 4,000; escaping needs room. */
const TEXT_CHARACTERS = 3_500;
/** The limit of one section of a message with buttons. */
const SECTION_CHARACTERS = 3_000;

/** Slack removes a status after two minutes. */
const STATUS_MS = 90_000;

/** The scopes the bot can't work without. */
const SCOPES = ["app_mentions:read", "chat:write", "files:read", "files:write", "im:history", "users:read"];

const Nothing = z.object({});
const Posted = z.object({ ts: z.string() });
const Who = z.object({ user: z.string(), team: z.string() });
const UploadAddress = z.object({ upload_url: z.string(), file_id: z.string() });

export const slack: Channel = {
  kind: "slack",
  limits: {
    textCharacters: TEXT_CHARACTERS,
    canEdit: true,
    typingMs: STATUS_MS,
    canPress: true,
    fileBytes: MAX_FILE_BYTES,
  },
  formatHint:
    "Slack shows bold, italics, strikethrough, lists, quotes, links and code blocks, written as Markdown. " +
    "It has no headings and no tables: headings become bold lines, tables become text of fixed width. " +
    "Keep messages short.",
  async test(connection, signal) {
    const { user, team } = await callSlack(connection, {
      method: "auth.test",
      fields: {},
      reply: Who,
      scopes: SCOPES,
      signal,
    });
    if (slackCredentials(connection).appToken !== undefined) await testSocketMode(connection, signal);
    return { username: `@${user} in ${team}` };
  },
  async start(connection, receive, signal) {
    if (slackCredentials(connection).appToken === undefined) return await aborted(signal);
    const take = async (payload: unknown) => {
      for (const update of await readSlackPayload(connection, payload)) await receive(update);
    };
    await receiveBySocket(connection, take, { signal });
  },
  async parse(connection, request) {
    const { signingSecret } = slackCredentials(connection);
    if (signingSecret === undefined) throw new ChannelForged("The channel has no signing secret.");
    const why = whyForged(request, signingSecret, Date.now());
    if (why !== null) throw new ChannelForged(why);
    return await readRequest(connection, request);
  },
  async send(connection, chatId, message) {
    const posted = message.text === "" ? null : await post(connection, chatId, message);
    const files = message.files ?? [];
    const uploaded = files.length === 0 ? null : await upload(connection, chatId, { files, replyTo: message.replyTo });
    return { messageId: posted ?? uploaded ?? "" };
  },
  async edit(connection, chatId, messageId, message) {
    // Without blocks, Slack would keep the buttons.
    const fields = { channel: chatId, ts: messageId, ...content(message), blocks: JSON.stringify(blocksOf(message)) };
    await callSlack(connection, { method: "chat.update", fields, reply: Nothing });
  },
  async typing(connection, { chatId, replyTo }, isOn) {
    // Slack has a status for threads only.
    if (replyTo === undefined) return;
    const fields = { channel_id: chatId, thread_ts: replyTo, status: isOn ? "is working …" : "" };
    await callSlack(connection, { method: "assistant.threads.setStatus", fields, reply: Nothing });
  },
  async answerPress(connection, { chat, sender }, text) {
    const fields = { channel: chat.id, user: sender.id, text: toMrkdwn(text) };
    await callSlack(connection, { method: "chat.postEphemeral", fields, reply: Nothing });
  },
};

async function testSocketMode(connection: Connection, signal: AbortSignal): Promise<void> {
  try {
    await prepareSocket(connection, signal);
  } catch (error) {
    if (error instanceof ChannelRefused) throw new ChannelRefused(`The app token does not work: ${error.message}`);
    throw error;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

interface HookRequest {
  readonly headers: Headers;
  readonly body: Uint8Array;
}

const Challenge = z.object({ type: z.literal("url_verification"), challenge: z.string().max(1_000) });

/** Events are JSON, button presses a form with JSON in `payload`. */
async function readRequest(
  connection: Connection,
  { headers, body }: HookRequest,
): Promise<{ readonly updates: readonly InboundUpdate[]; readonly response: Response }> {
  const text = new TextDecoder().decode(body);
  const isForm = headers.get("content-type")?.startsWith("application/x-www-form-urlencoded") ?? false;
  const payload = parseJson(isForm ? (new URLSearchParams(text).get("payload") ?? "") : text);
  const challenge = Challenge.safeParse(payload).data?.challenge;
  if (challenge !== undefined) {
    return { updates: [], response: new Response(challenge, { headers: { "content-type": "text/plain" } }) };
  }
  return { updates: await readSlackPayload(connection, payload), response: new Response(null, { status: 200 }) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function post(connection: Connection, chatId: string, message: OutboundMessage): Promise<string> {
  const fields = { channel: chatId, ...content(message), ...inThread(message.replyTo) };
  return (await callSlack(connection, { method: "chat.postMessage", fields, reply: Posted })).ts;
}

function content(message: OutboundMessage): Record<string, string> {
  const hasButtons = (message.buttons ?? []).length > 0;
  return {
    text: toMrkdwn(message.text),
    mrkdwn: "true",
    unfurl_links: "false",
    unfurl_media: "false",
    ...(hasButtons ? { blocks: JSON.stringify(blocksOf(message)) } : {}),
  };
}

/** With buttons, the text goes into sections: Slack shows `text` only if there are no blocks. */
function blocksOf({ text, buttons = [] }: OutboundMessage): unknown[] {
  const sections = splitText(toMrkdwn(text), SECTION_CHARACTERS).map((part) => ({
    type: "section",
    text: { type: "mrkdwn", text: part },
  }));
  const rows = buttons.map((row) => ({ type: "actions", elements: row.map(buttonOf) }));
  return [...sections, ...rows];
}

function buttonOf(button: Button, index: number) {
  const label = { type: "plain_text", text: button.label.slice(0, 75) };
  const kind = "url" in button ? { url: button.url } : { value: button.data };
  return { type: "button", action_id: `button-${index}`, text: label, ...kind };
}

function inThread(replyTo: string | undefined): Record<string, string> {
  return replyTo === undefined ? {} : { thread_ts: replyTo };
}

interface Upload {
  readonly files: readonly OutboundFile[];
  readonly replyTo: string | undefined;
}

/** Returns the id of the first file, because Slack returns no message for files. */
async function upload(connection: Connection, chatId: string, { files, replyTo }: Upload): Promise<string> {
  const uploaded: { id: string; title: string }[] = [];
  for (const { name, bytes } of files) {
    const fields = { filename: name, length: String(bytes.byteLength) };
    const call = { method: "files.getUploadURLExternal", fields, reply: UploadAddress };
    const { upload_url, file_id } = await callSlack(connection, call);
    await uploadToSlack(connection, upload_url, bytes);
    uploaded.push({ id: file_id, title: name });
  }
  const fields = { files: JSON.stringify(uploaded), channel_id: chatId, ...inThread(replyTo) };
  await callSlack(connection, { method: "files.completeUploadExternal", fields, reply: Nothing });
  return uploaded[0]?.id ?? "";
}
