import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const BOT_TOKEN = "4242:scripted-bot";
const BOT = { id: 4242, is_bot: true, first_name: "Lab", username: "ringmaster_lab_bot" };

export interface Person {
  readonly id: number;
  readonly first_name: string;
  readonly username?: string;
}

export interface ShownMessage {
  readonly chatId: string;
  /** The topic in the chat. */
  readonly topic?: number;
  readonly messageId: number;
  /** The current text, without HTML markup. */
  text: string;
  html: string;
  buttons: { readonly text: string; readonly data?: string; readonly url?: string }[][];
  edits: number;
  file?: { readonly name: string; readonly bytes: Uint8Array };
}

interface Call {
  readonly method: string;
  readonly payload: Record<string, unknown>;
  readonly at: number;
}

interface Said {
  readonly from: Person;
  /** A group; default: the direct chat with the person. */
  readonly group?: { readonly id: number; readonly title: string };
  readonly text: string;
  /** The bot's message that this replies to. */
  readonly replyTo?: number;
  readonly document?: { readonly name: string; readonly bytes: Uint8Array };
  /** Default: the next one. */
  readonly updateId?: number;
  /** Further fields of the message. */
  readonly more?: object;
}

/** A scripted Bot API: it records what the bot sends, and delivers people's messages to the bot. */
export class ScriptedTelegram {
  readonly calls: Call[] = [];
  readonly messages: ShownMessage[] = [];
  isRevoked = false;
  refusedCalls = 0;
  /** Fails the next calls of a method with 429 and this retry delay. */
  readonly busy = new Map<string, { times: number; seconds: number }>();
  /** Groups that became supergroups, with their new ids. */
  readonly movedChats = new Map<string, number>();
  /** Updates are returned until a poll asks for later ones, as by Telegram; otherwise each is returned once. */
  keepsUpdates = false;
  /** Called before a message is stored; delays the answer until it resolves. */
  beforeAnswer: ((call: Call) => Promise<void> | void) | null = null;
  #nextUpdate = 100;
  #nextMessage = 1;
  readonly #updates: { update_id: number }[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #files = new Map<string, Uint8Array>();
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  async start(port = 0): Promise<this> {
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  /** `host:port`, for the list of private hosts. */
  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${this.host}`;
  }

  async close(): Promise<void> {
    this.#wake();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  /** The update as Telegram would send it. */
  message({ from, group, text, replyTo, document, updateId = this.#nextUpdate++, more = {} }: Said) {
    const chat = group ? { ...group, type: "supergroup" } : { type: "private", ...from };
    const command = /^\/\w+(@\w+)?/.exec(text)?.[0];
    const mentions = [...text.matchAll(/@\w+/g)].filter(({ index }) => index >= (command?.length ?? 0));
    const fileId = `file-${updateId}`;
    if (document) this.#files.set(fileId, document.bytes);
    return {
      update_id: updateId,
      message: {
        message_id: this.#nextMessage++,
        date: 1,
        chat,
        from: { is_bot: false, ...from },
        ...(document
          ? {
              caption: text,
              document: { file_id: fileId, file_name: document.name, file_size: document.bytes.byteLength },
            }
          : { text }),
        entities: [
          ...(command === undefined ? [] : [{ type: "bot_command", offset: 0, length: command.length }]),
          ...mentions.map(({ index, 0: name }) => ({ type: "mention", offset: index, length: name.length })),
        ],
        ...(replyTo === undefined ? {} : { reply_to_message: { message_id: replyTo, from: BOT, chat, date: 1 } }),
        ...more,
      },
    };
  }

  /** The update for pressing a button in the bot's message. */
  press(from: Person, shown: ShownMessage, data: string) {
    const chat =
      Number(shown.chatId) < 0
        ? { id: Number(shown.chatId), type: "supergroup", title: "Office" }
        : { type: "private", ...from };
    return {
      update_id: this.#nextUpdate++,
      callback_query: {
        id: `press-${this.#nextUpdate}`,
        from: { is_bot: false, ...from },
        chat_instance: "1",
        message: { message_id: shown.messageId, chat, date: 1, from: BOT },
        data,
      },
    };
  }

  /** Delivers updates to the bot, including repeated ones. */
  bring(...updates: { update_id: number }[]): void {
    this.#updates.push(...updates);
    this.#wake();
  }

  say(said: Said): number {
    const update = this.message(said);
    this.bring(update);
    return update.update_id;
  }

  sentTo(chatId: number): ShownMessage[] {
    return this.messages.filter((message) => message.chatId === String(chatId));
  }

  callsOf(method: string): Call[] {
    return this.calls.filter((call) => call.method === method);
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "";
    const file = /^\/file\/bot[^/]+\/(?<id>.+)$/.exec(path)?.groups?.id;
    if (file !== undefined) return void response.end(this.#files.get(file));
    const { token, method = "" } = /^\/bot(?<token>[^/]+)\/(?<method>\w+)$/.exec(path)?.groups ?? {};
    const payload = await readPayload(request);
    if (this.isRevoked || token !== BOT_TOKEN) {
      this.refusedCalls += 1;
      return fail(response, 401, "Unauthorized");
    }
    const call = { method, payload, at: Date.now() };
    this.calls.push(call);
    const busy = this.busy.get(method);
    if (busy && busy.times > 0) {
      busy.times -= 1;
      const parameters = { retry_after: busy.seconds };
      return fail(response, 429, `Too Many Requests: retry after ${busy.seconds}`, parameters);
    }
    const movedTo = this.movedChats.get(String(payload.chat_id));
    if (movedTo !== undefined) {
      const words = "Bad Request: group chat was upgraded to a supergroup chat";
      return fail(response, 400, words, { migrate_to_chat_id: movedTo });
    }
    const result = method === "getUpdates" ? await this.#poll(request, payload) : this.#perform(method, payload);
    await this.beforeAnswer?.(call);
    if (typeof result === "string") return fail(response, 400, result);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ ok: true, result }));
  }

  /** How many polls wait for an update now. */
  get polls(): number {
    return this.#waiting.size;
  }

  async #poll(request: IncomingMessage, { offset = 0 }: Record<string, unknown>) {
    const isRead = ({ update_id: id }: { update_id: number }) => this.keepsUpdates && id < Number(offset);
    this.#updates.splice(0, this.#updates.length, ...this.#updates.filter((update) => !isRead(update)));
    if (this.#updates.length === 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const leave = () => {
        this.#waiting.delete(resolve);
        resolve();
      };
      this.#waiting.add(resolve);
      request.socket.once("close", leave);
      await promise;
      if (request.socket.destroyed) return [];
    }
    return this.keepsUpdates ? [...this.#updates] : this.#updates.splice(0);
  }

  #perform(method: string, payload: Record<string, unknown>): unknown {
    switch (method) {
      case "getMe":
        return BOT;
      case "sendMessage":
        return this.#show(payload);
      case "sendDocument":
        return this.#show({ ...payload, text: "" });
      case "editMessageText":
        return this.#edit(payload);
      case "getFile":
        return { file_id: payload.file_id, file_unique_id: "1", file_path: payload.file_id };
      default:
        return true;
    }
  }

  #show(payload: Record<string, unknown>): unknown {
    const html = String(payload.text ?? "");
    const text = plain(html);
    if (text.length > 4_096) return "Bad Request: message is too long";
    const document = payload.document as ShownMessage["file"];
    const shown: ShownMessage = {
      chatId: String(payload.chat_id),
      messageId: this.#nextMessage++,
      text,
      html,
      edits: 0,
      buttons: buttonsOf(payload),
      ...(document ? { file: document } : {}),
      ...(payload.message_thread_id === undefined ? {} : { topic: Number(payload.message_thread_id) }),
    };
    this.messages.push(shown);
    return { message_id: shown.messageId, date: 1, chat: { id: Number(shown.chatId), type: "private" }, text };
  }

  #edit(payload: Record<string, unknown>): unknown {
    const shown = this.messages.find(({ messageId }) => messageId === Number(payload.message_id));
    if (!shown) return "Bad Request: message to edit not found";
    shown.html = String(payload.text);
    shown.text = plain(shown.html);
    shown.buttons = buttonsOf(payload);
    shown.edits += 1;
    return true;
  }
}

async function readPayload(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  const body = Buffer.concat(chunks);
  const type = request.headers["content-type"] ?? "";
  if (!type.startsWith("multipart/")) return body.byteLength === 0 ? {} : JSON.parse(body.toString("utf8"));
  const form = await new Response(body, { headers: { "content-type": type } }).formData();
  const fields: Record<string, unknown> = {};
  const files: File[] = [];
  for (const [name, value] of form) {
    if (typeof value === "string") fields[name] = value;
    else files.push(value);
  }
  const [file] = files;
  if (file) fields.document = { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
  return fields;
}

function buttonsOf({ reply_markup: markup }: Record<string, unknown>): ShownMessage["buttons"] {
  const { inline_keyboard: rows = [] } = (markup ?? {}) as {
    inline_keyboard?: { text: string; callback_data?: string; url?: string }[][];
  };
  return rows.map((row) =>
    row.map(({ text, callback_data: data, url }) => ({ text, ...(data ? { data } : {}), ...(url ? { url } : {}) })),
  );
}

function plain(html: string): string {
  const text = html.replace(/<[^<>]+>/g, "");
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

function fail(response: ServerResponse, code: number, description: string, parameters?: object): void {
  response.statusCode = code;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ ok: false, error_code: code, description, ...(parameters ? { parameters } : {}) }));
}
