import { once } from "node:events";
import { type Api, InlineKeyboard, InputFile } from "grammy";
import { isSameSecret } from "@/lib/server/platform/secrets/is-same-secret";
import {
  type Button,
  type Channel,
  ChannelForged,
  type Connection,
  type OutboundMessage,
  type Receive,
} from "@/lib/server/triggers/channels/channel";
import { MAX_FILE_BYTES } from "./message-files";
import { readUpdates } from "./read-update";
import {
  ChatMoved,
  callTelegram,
  clientSignal,
  credentialsOf,
  hookSecret,
  isNotModified,
  isUnreadableFormat,
  POLL_SECONDS,
} from "./telegram-api";
import { placeOf } from "./telegram-chat";
import { toTelegramHtml } from "./to-html";

/** Only these are requested because other updates are never read. */
const KINDS = ["message", "callback_query"] as const;

/** Telegram ends the indicator after 5 s. */
const TYPING_MS = 4_000;

export const telegram: Channel = {
  kind: "telegram",
  limits: { textCharacters: 4_096, canEdit: true, typingMs: TYPING_MS, canPress: true, fileBytes: MAX_FILE_BYTES },
  formatHint:
    "Telegram shows **bold**, *italics*, ~~strikethrough~~, `code`, code blocks, links, lists and > quotes. It shows no tables, and headings only as bold lines: write short paragraphs and plain lists.",

  async test(connection, signal) {
    const { username } = await callTelegram(connection, (api) => api.getMe(clientSignal(signal)));
    return { username: `@${username}` };
  },

  async start(connection, receive, signal) {
    if (credentialsOf(connection).receive === "webhook") {
      const options = { secret_token: hookSecret(connection), allowed_updates: KINDS };
      await callTelegram(connection, (api) => api.setWebhook(connection.hookUrl, options, clientSignal(signal)));
      if (!signal.aborted) await once(signal, "abort");
      return;
    }
    await callTelegram(connection, (api) => api.deleteWebhook({}, clientSignal(signal)));
    await poll(connection, receive, signal);
  },

  async parse(connection, { headers, body }) {
    const given = headers.get("x-telegram-bot-api-secret-token") ?? "";
    const expected = hookSecret(connection);
    if (!isSameSecret(given, expected)) {
      throw new ChannelForged("The request does not have the secret that Telegram was given.");
    }
    // Whatever is not taken would be sent again, before all later updates.
    return { updates: readUpdates(connection, [parseJson(body)]), response: new Response(null, { status: 200 }) };
  },

  async send(connection, chatId, message) {
    try {
      return await sendTo(connection, chatId, message);
    } catch (error) {
      if (!(error instanceof ChatMoved)) throw error;
      return await sendTo(connection, error.chatId, message);
    }
  },

  async edit(connection, chatId, messageId, message) {
    const { chat } = placeOf(chatId);
    try {
      await formatted(message.text, (shown, format) =>
        callTelegram(connection, (api) =>
          api.editMessageText(chat, Number(messageId), shown, { ...optionsOf(message), ...format }),
        ),
      );
    } catch (error) {
      if (!isNotModified(error)) throw error;
    }
  },

  async typing(connection, { chatId }, isOn) {
    const { chat, topic } = placeOf(chatId);
    // It ends with the next message. Telegram shows none in the direct messages of a channel.
    if (isOn && topic.direct_messages_topic_id === undefined)
      await callTelegram(connection, (api) => api.sendChatAction(chat, "typing", topic));
  },

  async answerPress(connection, { answerTo }, text) {
    await callTelegram(connection, (api) => api.answerCallbackQuery(answerTo, { text: text.slice(0, 200) }));
  },
};

async function sendTo(connection: Connection, chatId: string, message: OutboundMessage) {
  const { files = [], text } = message;
  const { chat, topic } = placeOf(chatId);
  let messageId: number | undefined;
  if (text !== "") {
    const sent = await formatted(text, (shown, format) =>
      callTelegram(connection, (api) => api.sendMessage(chat, shown, { ...topic, ...optionsOf(message), ...format })),
    );
    messageId = sent.message_id;
  }
  for (const { name, bytes } of files) {
    const sent = await callTelegram(connection, (api: Api) =>
      api.sendDocument(chat, new InputFile(bytes, name), topic),
    );
    messageId ??= sent.message_id;
  }
  return { messageId: String(messageId ?? "") };
}

/** Each update is received, and stored, before the next poll acknowledges it to Telegram. */
async function poll(connection: Connection, receive: Receive, signal: AbortSignal): Promise<void> {
  let offset = connection.offset === null ? undefined : Number(connection.offset);
  while (!signal.aborted) {
    const options = { offset, timeout: POLL_SECONDS, allowed_updates: KINDS };
    const given: unknown = await callTelegram(connection, (api) => api.getUpdates(options, clientSignal(signal)));
    const updates = Array.isArray(given) ? readUpdates(connection, given) : [];
    // The next poll would return at once with the same.
    if (updates.length === 0 && !isEmptyList(given)) throw new Error("Telegram sent updates that can't be read.");
    for (const update of updates) {
      if (signal.aborted) return;
      await receive(update);
      offset = Number(update.offset);
    }
  }
}

function isEmptyList(given: unknown): boolean {
  return Array.isArray(given) && given.length === 0;
}

/** Undefined if it is no JSON. */
function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

/** Sends HTML; if Telegram can't parse it, sends the text as written. */
async function formatted<Sent>(
  text: string,
  send: (shown: string, format: { readonly parse_mode?: "HTML" }) => Promise<Sent>,
): Promise<Sent> {
  try {
    return await send(toTelegramHtml(text), { parse_mode: "HTML" });
  } catch (error) {
    if (!isUnreadableFormat(error)) throw error;
    return send(text, {});
  }
}

function optionsOf({ buttons, replyTo }: OutboundMessage) {
  return {
    link_preview_options: { is_disabled: true },
    ...(buttons === undefined ? {} : { reply_markup: keyboard(buttons) }),
    ...(replyTo === undefined
      ? {}
      : { reply_parameters: { message_id: Number(replyTo), allow_sending_without_reply: true } }),
  };
}

function keyboard(rows: readonly (readonly Button[])[]): InlineKeyboard {
  return new InlineKeyboard(
    rows.map((row) =>
      row.map((button) =>
        "data" in button
          ? InlineKeyboard.text(button.label, button.data)
          : InlineKeyboard.url(button.label, button.url),
      ),
    ),
  );
}
