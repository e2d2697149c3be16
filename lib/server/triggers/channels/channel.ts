import type { ChannelCredentials, ChannelKind } from "@/lib/schema/channels/channel-credentials";
import { SharedError } from "@/lib/schema/shared-error";

/** How to reach the service for one channel. */
export interface Connection {
  readonly channelId: string;
  readonly name: string;
  /** Matches the channel's kind. */
  readonly credentials: ChannelCredentials;
  /** Null: the service's own address. Any other is subject to the list of private hosts. */
  readonly apiRoot: string | null;
  readonly allowedPrivateHosts: readonly string[];
  /** The bot's name, as of the last test. */
  readonly username: string | null;
  /** The position to read from: an update's number, or UIDVALIDITY and UID of mail. Null at the beginning. */
  readonly offset: string | null;
  /** The address to which the service posts updates: `POST /hooks/channels/{id}`. */
  readonly hookUrl: string;
}

export interface Chat {
  readonly id: string;
  readonly kind: "direct" | "group";
  /** A group's title, a direct chat's name such as `@petra`. */
  readonly name: string;
  /** The id of the chat in which this is a topic: a conversation of its own, for the same people. */
  readonly topicOf?: string;
}

/** A file sent with a message; it is read only for paired people. */
export interface InboundFile {
  readonly name: string;
  readonly sizeBytes: number | null;
  read(signal: AbortSignal): Promise<Uint8Array>;
}

/** What a message refers to and its thread may not hold. */
export interface Citation {
  /** Marked as someone's words. */
  readonly text: string;
  readonly files: readonly InboundFile[];
  /** A part was chosen, or the whole was passed on: it counts even if the thread holds it. */
  readonly isSelected: boolean;
}

/** One update from a channel. Its id is the same whenever the service sends it again. */
export interface InboundUpdate {
  readonly id: string;
  /** The channel's offset once this update is stored; absent if the service needs none. */
  readonly offset?: string;
  /** Absent for updates that need no answer, such as a chat being opened: only the offset is stored. */
  readonly message?: InboundMessage;
  /** A button was pressed. */
  readonly press?: InboundPress;
  /** A chat goes on under another id. */
  readonly moved?: { readonly from: string; readonly to: string };
  /** The reason, in words, for turning the update away without starting anything: a spoofed sender, a mailing list. */
  readonly refused?: string;
}

export interface Sender {
  readonly id: string;
  readonly name: string;
}

export interface InboundMessage {
  readonly chat: Chat;
  readonly sender: Sender;
  /** The text without the mention of the bot. */
  readonly text: string;
  readonly files: readonly InboundFile[];
  /** In a group: the message addresses the bot, by its name or by a reply to it. */
  readonly isMentioned: boolean;
  /**
   * What it shares with other messages that were sent as one, such as the pictures of an album. What follows at once
   * with the same value belongs to it.
   */
  readonly part?: string;
  /** The parts of messages that it is added to while they wait; default: its own. */
  readonly joins?: readonly string[];
  /** The message that it answers, quotes or passes on. */
  readonly cites?: Citation;
  /** The bot's message that this one answers. */
  readonly replyTo?: string;
  /** The id of the update that this one answers, if that was a person's message. */
  readonly answersUpdate?: string;
  /** The value for `OutboundMessage.replyTo` in answers to this message. */
  readonly answerKey?: string;
  /** The message begins a separate conversation (a new mail), with its own thread. */
  readonly beginsThread?: boolean;
  /**
   * The sender is not verified, but the message carries a link's own secret (a plus-address): it belongs to that link.
   */
  readonly linkSecret?: string;
}

export interface InboundPress {
  readonly chat: Chat;
  readonly sender: Sender;
  /** The message with the button. */
  readonly messageId: string;
  readonly data: string;
  /** What `answerPress` needs to answer the press. */
  readonly answerTo: string;
}

/** A button that sends back `data` (at most 64 bytes) or opens a page. */
export type Button =
  | { readonly label: string; readonly data: string }
  | { readonly label: string; readonly url: string };

export interface OutboundFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface OutboundMessage {
  /** Simple Markdown; at most `limits.textCharacters`. Empty if only files are sent. */
  readonly text: string;
  /** Rows of buttons. */
  readonly buttons?: readonly (readonly Button[])[];
  readonly files?: readonly OutboundFile[];
  /** The message being answered. */
  readonly replyTo?: string;
  /** The subject of a mail that begins a conversation. */
  readonly subject?: string;
}

/** Where an agent types: in a chat, or in the thread of the message that it answers. */
interface TypingPlace {
  readonly chatId: string;
  readonly replyTo: string | undefined;
}

/**
 * Receives an update. Resolves once the update is stored, so that the service may drop it; a repeat is delivered again
 * and starts nothing.
 */
export type Receive = (update: InboundUpdate) => Promise<void>;

/** One service. Functions throw `ChannelBusy`, `ChannelRefused`, or any other error for failures worth retrying. */
export interface Channel {
  readonly kind: ChannelKind;
  readonly limits: {
    readonly textCharacters: number;
    readonly canEdit: boolean;
    /** How often the typing indicator has to be repeated so that it does not end; null: there is none. */
    readonly typingMs: number | null;
    /** Whether button presses arrive; if false, a message only links to the page for deciding. */
    readonly canPress: boolean;
    readonly fileBytes: number;
    /** Files are sent with the text in one message (a mail); otherwise each is a separate message. */
    readonly keepsFiles?: boolean;
    /** The number of messages of one chat that may start runs per hour; absent: any number. */
    readonly perHour?: number;
  };
  /** For the prompt (section 12): how text must be formatted there. */
  readonly formatHint: string;
  /** The address for input carrying a link's own secret; absent if a service vouches for every sender. */
  secretAddress?(connection: Connection, secret: string): string;
  /** Returns the bot's name. */
  test(connection: Connection, signal: AbortSignal): Promise<{ readonly username: string }>;
  /** Receives until `signal` aborts; a service that delivers only to the hook resolves on abort, too. */
  start(connection: Connection, receive: Receive, signal: AbortSignal): Promise<void>;
  /** Reads a request to the hook. Throws `ChannelForged` for a request not signed by the service. */
  parse(
    connection: Connection,
    request: { readonly headers: Headers; readonly body: Uint8Array },
  ): Promise<{ readonly updates: readonly InboundUpdate[]; readonly response: Response }>;
  send(connection: Connection, chatId: string, message: OutboundMessage): Promise<{ readonly messageId: string }>;
  /** Replaces text and buttons of a message. */
  edit(connection: Connection, chatId: string, messageId: string, message: OutboundMessage): Promise<void>;
  /** Shows or clears the typing indicator. */
  typing(connection: Connection, place: TypingPlace, isOn: boolean): Promise<void>;
  /** Notifies the person who pressed a button, and nobody else if the service supports that. */
  answerPress(connection: Connection, press: InboundPress, text: string): Promise<void>;
}

/** The service asked to wait (429). */
export class ChannelBusy extends SharedError {
  static override readonly kind = "ChannelBusy";
  readonly retryAfterSeconds: number;
  constructor(message: string, retryAfterSeconds: number) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The service rejects the credentials (a revoked token): retrying soon is useless. */
export class ChannelRefused extends SharedError {
  static override readonly kind = "ChannelRefused";
}

/** A request to the hook that does not come from the service. */
export class ChannelForged extends SharedError {
  static override readonly kind = "ChannelForged";
}
