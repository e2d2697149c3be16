import { z } from "zod";
import { ChannelRefused, type Connection, type InboundUpdate } from "@/lib/server/triggers/channels/channel";
import { callSlack } from "./slack-api";
import { citationIn, filesIn } from "./slack-attachments";
import { textOfBlocks } from "./slack-blocks";
import { fromMrkdwn } from "./slack-text";

const NAME_TIMEOUT_MS = 1_500;
/** The number of names of people and channels that are cached. */
const MAX_NAMES = 1_000;

const Id = z.string().max(40);
/** Absent if it is no text. */
const Text = z.string().optional().catch(undefined);
/** What is not understood of these stays a difference: only a person's own message may start something. */
const Marked = z
  .unknown()
  .optional()
  .transform((value) => (value === null || value === "" ? undefined : value));

const MessageEvent = z.object({
  type: z.enum(["message", "app_mention"]),
  subtype: Marked,
  channel: Id,
  channel_type: Text,
  user: Id.optional().catch(undefined),
  bot_id: Marked,
  text: Text,
  ts: Id,
  thread_ts: Id.optional().catch(undefined),
  files: z.unknown().optional(),
  attachments: z.unknown().optional(),
  blocks: z.unknown().optional(),
});
type MessageEvent = z.output<typeof MessageEvent>;

const Authorization = z.object({ user_id: Text });
const EventCallback = z.object({
  type: z.literal("event_callback"),
  authorizations: z.array(z.unknown()).catch([]),
  event: z.unknown(),
});

const Action = z.object({ value: Text, action_ts: Id });
const BlockActions = z.object({
  type: z.literal("block_actions"),
  user: z.object({ id: Id, name: Text, username: Text }),
  channel: z.object({ id: Id }),
  message: z.object({ ts: Id }),
  actions: z.array(z.unknown()),
});

/** Subtypes that still are a person's message. */
const SPOKEN = new Set<unknown>([undefined, "file_share", "thread_broadcast", "me_message"]);

/** The updates in one payload of Slack, from its Events API, its buttons or Socket Mode. */
export async function readSlackPayload(connection: Connection, payload: unknown): Promise<readonly InboundUpdate[]> {
  const press = BlockActions.safeParse(payload).data;
  if (press) return readPress(press);
  const callback = EventCallback.safeParse(payload).data;
  const event = callback && MessageEvent.safeParse(callback.event).data;
  if (!callback || !event) return [];
  const botUserId = Authorization.safeParse(callback.authorizations[0]).data?.user_id ?? null;
  return isForBot(event, botUserId) ? [await readMessage(connection, event, botUserId)] : [];
}

/**
 * In a direct message, everything a person says; elsewhere, messages that mention the bot; never messages of bots,
 * including itself.
 */
function isForBot({ type, subtype, channel_type, bot_id, user }: MessageEvent, botUserId: string | null): boolean {
  if (bot_id !== undefined || user === undefined || user === botUserId || !SPOKEN.has(subtype)) return false;
  return type === "app_mention" || channel_type === "im";
}

async function readMessage(
  connection: Connection,
  event: MessageEvent,
  botUserId: string | null,
): Promise<InboundUpdate> {
  const { channel, ts, thread_ts, user = "" } = event;
  const cites = citationIn(connection, event.attachments);
  const isDirect = channel.startsWith("D");
  const name = await nameOf(connection, user);
  const chatName = isDirect ? `@${name}` : await channelNameOf(connection, channel);
  return {
    id: updateId(channel, ts),
    message: {
      chat: { id: channel, kind: isDirect ? "direct" : "group", name: chatName },
      sender: { id: user, name },
      // Some clients put nothing but the mention into the text, and the words into the blocks.
      text: fromMrkdwn(event.text ?? "", botUserId) || fromMrkdwn(textOfBlocks(event.blocks), botUserId),
      files: filesIn(connection, event.files),
      isMentioned: event.type === "app_mention",
      ...(cites ? { cites } : {}),
      // In a channel, the answer goes to the thread of the question; in a direct message, only if there is a thread.
      ...(thread_ts === undefined && isDirect ? {} : { answerKey: thread_ts ?? ts }),
      ...(thread_ts === undefined || thread_ts === ts
        ? {}
        : { replyTo: thread_ts, answersUpdate: updateId(channel, thread_ts) }),
    },
  };
}

/** A message delivered by two subscriptions is one message. */
function updateId(channel: string, ts: string): string {
  return `message:${channel}:${ts}`;
}

function readPress({ user, channel, message, actions }: z.output<typeof BlockActions>): InboundUpdate[] {
  const action = Action.safeParse(actions[0]).data;
  if (action?.value === undefined) return [];
  const isDirect = channel.id.startsWith("D");
  const name = user.name ?? user.username ?? user.id;
  return [
    {
      id: `press:${channel.id}:${message.ts}:${user.id}:${action.action_ts}`,
      press: {
        chat: { id: channel.id, kind: isDirect ? "direct" : "group", name: isDirect ? `@${name}` : channel.id },
        sender: { id: user.id, name },
        messageId: message.ts,
        data: action.value,
        answerTo: user.id,
      },
    },
  ];
}

const names = new Map<string, string>();
const UserReply = z.object({
  user: z.object({
    name: Text,
    real_name: Text,
    profile: z.object({ display_name: Text }).optional().catch(undefined),
  }),
});
const ChannelReply = z.object({ channel: z.object({ name: z.string() }) });

/** The person's name as shown in the workspace. */
function nameOf(connection: Connection, user: string): Promise<string> {
  return remembered(connection, user, async () => {
    const call = { method: "users.info", fields: { user }, reply: UserReply, timeoutMs: NAME_TIMEOUT_MS };
    const { user: person } = await callSlack(connection, call);
    return person.profile?.display_name || person.real_name || person.name || user;
  });
}

/** `#release`, if the app has the scope channels:read. */
function channelNameOf(connection: Connection, channel: string): Promise<string> {
  return remembered(connection, channel, async () => {
    const call = { method: "conversations.info", fields: { channel }, reply: ChannelReply };
    return `#${(await callSlack(connection, { ...call, timeoutMs: NAME_TIMEOUT_MS })).channel.name}`;
  });
}

/** Falls back to the id if Slack does not return the name promptly, or at all. */
async function remembered(connection: Connection, id: string, ask: () => Promise<string>): Promise<string> {
  const key = `${connection.channelId} ${id}`;
  const known = names.get(key);
  if (known !== undefined) return known;
  try {
    return remember(key, await ask());
  } catch (error) {
    // Without the scope, the next request would fail as well.
    return error instanceof ChannelRefused ? remember(key, id) : id;
  }
}

function remember(key: string, name: string): string {
  if (names.size >= MAX_NAMES) names.clear();
  names.set(key, name);
  return name;
}
