import type { ChannelCredentials, ChannelKind } from "@/lib/schema/channels/channel-credentials";

/** How to reach the service, for one channel. */
export interface Connection {
  readonly channelId: string;
  readonly name: string;
  /** Those of the channel's kind. */
  readonly credentials: ChannelCredentials;
  /** Null: the service's own address. Any other obeys the list of private hosts. */
  readonly apiRoot: string | null;
  readonly allowedPrivateHosts: readonly string[];
  /** Who the bot is, as the last test said. */
  readonly username: string | null;
  /** What is read next: an update's number, or UIDVALIDITY and UID of mail. Null at the beginning. */
  readonly offset: string | null;
  /** Where the service posts what arrives: `POST /hooks/channels/{id}`. */
  readonly hookUrl: string;
}

export interface Chat {
  readonly id: string;
  readonly kind: "direct" | "group";
  /** A group's title, a direct chat's name such as `@petra`. */
  readonly name: string;
}

/** A file that came with a message; it is read only for people who are paired. */
export interface InboundFile {
  readonly name: string;
  readonly sizeBytes: number | null;
  read(signal: AbortSignal): Promise<Uint8Array>;
}

/** One thing that a channel brings. Its id is the same whenever the service sends it again. */
export interface InboundUpdate {
  readonly id: string;
  /** The channel's offset once this is stored; absent where the service needs none. */
  readonly offset?: string;
  /** Absent for what nobody has to answer, such as a chat that was opened: only the offset is kept. */
  readonly message?: InboundMessage;
  /** A button was pressed. */
  readonly press?: InboundPress;
  /** It counts as turned away, for this reason in words, and starts nothing: a spoofed sender, a mailing list. */
  readonly refused?: string;
}

export interface Sender {
  readonly id: string;
  readonly name: string;
}

export interface InboundMessage {
  readonly chat: Chat;
  readonly sender: Sender;
  /** Without the mention of the bot. */
  readonly text: string;
  readonly files: readonly InboundFile[];
  /** In a group: the bot is meant, by its name or by a reply to it. */
  readonly isMentioned: boolean;
  /** The message of ours that it answers. */
  readonly replyTo?: string;
  /** What `OutboundMessage.replyTo` has to be for what answers it. */
  readonly answerKey?: string;
  /** It begins a conversation of its own (a new mail), in a thread of its own. */
  readonly beginsThread?: boolean;
  /** The sender is not known for sure, but it came with a link's own secret (a plus-address): it is of that link. */
  readonly linkSecret?: string;
}

export interface InboundPress {
  readonly chat: Chat;
  readonly sender: Sender;
  /** The message with the button. */
  readonly messageId: string;
  readonly data: string;
  /** What `answerPress` needs to answer it. */
  readonly answerTo: string;
}

/** A button that sends `data` back (at most 64 bytes), or opens a page. */
export type Button =
  | { readonly label: string; readonly data: string }
  | { readonly label: string; readonly url: string };

export interface OutboundFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface OutboundMessage {
  /** Markdown of the simple kind; at most `limits.textCharacters`. Empty where only files are sent. */
  readonly text: string;
  /** In rows. */
  readonly buttons?: readonly (readonly Button[])[];
  readonly files?: readonly OutboundFile[];
  /** The message that it answers. */
  readonly replyTo?: string;
  /** The subject of a mail, where it begins a conversation. */
  readonly subject?: string;
}

/**
 * What arrives is given to it. It resolves once the update is stored, so that the service may drop it; a repeat is
 * given again and starts nothing.
 */
export type Receive = (update: InboundUpdate) => Promise<void>;

/** One service. Functions throw `ChannelBusy`, `ChannelRefused`, or any other error for what may be tried again. */
export interface Channel {
  readonly kind: ChannelKind;
  readonly limits: {
    readonly textCharacters: number;
    readonly canEdit: boolean;
    readonly canType: boolean;
    /** Presses of buttons arrive; false: a message only links to the page where one decides. */
    readonly canPress: boolean;
    readonly fileBytes: number;
    /** Files go with the text in one message (a mail); else each is one of its own. */
    readonly keepsFiles?: boolean;
    /** Messages of one chat that may start runs in an hour; absent: any number. */
    readonly perHour?: number;
  };
  /** For the prompt (section 12): how text has to look there. */
  readonly formatHint: string;
  /** Where what brings a link's own secret arrives; absent where a service vouches for every sender. */
  secretAddress?(connection: Connection, secret: string): string;
  /** Says who the bot is. */
  test(connection: Connection, signal: AbortSignal): Promise<{ readonly username: string }>;
  /** Receives until `signal` aborts. What only arrives at the hook resolves then, too. */
  start(connection: Connection, receive: Receive, signal: AbortSignal): Promise<void>;
  /** Reads a request to the hook. Throws `ChannelForged` for one that the service has not signed. */
  parse(
    connection: Connection,
    request: { readonly headers: Headers; readonly body: Uint8Array },
  ): Promise<{ readonly updates: readonly InboundUpdate[]; readonly response: Response }>;
  send(connection: Connection, chatId: string, message: OutboundMessage): Promise<{ readonly messageId: string }>;
  /** Replaces text and buttons of a message. */
  edit(connection: Connection, chatId: string, messageId: string, message: OutboundMessage): Promise<void>;
  /** Ends by itself where it is not repeated within 4 s. */
  typing(connection: Connection, chatId: string, isOn: boolean): Promise<void>;
  /** Tells the person who has pressed a button, and nobody else where the service can do that. */
  answerPress(connection: Connection, press: InboundPress, text: string): Promise<void>;
}

/** The service asked to wait (429). */
export class ChannelBusy extends Error {
  override readonly name = "ChannelBusy";
  readonly retryAfterSeconds: number;
  constructor(message: string, retryAfterSeconds: number) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The service does not take the credentials (a revoked token): trying again soon is useless. */
export class ChannelRefused extends Error {
  override readonly name = "ChannelRefused";
}

/** A request to the hook that does not come from the service. */
export class ChannelForged extends Error {
  override readonly name = "ChannelForged";
}
