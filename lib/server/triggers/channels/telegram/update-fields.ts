import type { Update } from "grammy/types";
import { z } from "zod";
import type { Content } from "./describe-content";

/** A field that counts as absent if it has another form. */
const optional = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);

/** Of a list the entries that have the form; absent if it is no list. */
function listOf<Schema extends z.ZodType>(entry: Schema) {
  const known = z.array(z.unknown()).transform((list) => list.flatMap((one) => entry.safeParse(one).data ?? []));
  return optional(known);
}

/** Some programs between Telegram and a bot write large numbers as text. */
const Id = z.union([
  z.int(),
  z
    .string()
    .regex(/^-?\d{1,15}$/)
    .transform(Number),
]);
const id = optional(Id);
const text = optional(z.string());
const number = optional(z.number());
const flag = optional(z.boolean());
/** Unlike a flag: what is not understood counts as set, because nobody answers a bot. */
const isBot = z
  .unknown()
  .optional()
  .transform((value) => value !== undefined && value !== null && value !== false);
/** What is only looked at for being there. */
const thing = optional(z.looseObject({}));

const Entity = z.object({
  type: z.string(),
  offset: z.int().nonnegative(),
  length: z.int().nonnegative(),
  url: text,
  language: text,
});
const entities = listOf(Entity).transform((list) => list?.filter(({ type, url }) => type !== "text_link" || url));

const User = z.object({
  id: Id,
  is_bot: isBot,
  first_name: z.string().catch(""),
  last_name: text,
  username: text,
});
const Chat = z.object({ id: Id, type: z.string(), title: text });
const TitledChat = z.object({ title: text });

const Origin = z.object({
  type: z.string(),
  sender_user: optional(User),
  sender_user_name: z.string().catch("someone"),
  sender_chat: TitledChat.catch({ title: undefined }),
  chat: TitledChat.catch({ title: undefined }),
  author_signature: text,
});

const File = z.object({ file_id: z.string(), file_size: optional(z.number().nonnegative()), file_name: text });
const Place = z.object({ latitude: z.number(), longitude: z.number(), live_period: number });

/** What a message, or one that is answered, may consist of besides text. */
const CONTENT = {
  photo: listOf(File),
  document: optional(File),
  animation: optional(File.extend({ duration: number })),
  audio: optional(File.extend({ duration: number, performer: text, title: text })),
  voice: optional(File.extend({ duration: number })),
  video: optional(File.extend({ duration: number })),
  video_note: optional(File.extend({ duration: number })),
  sticker: optional(File.extend({ emoji: text, set_name: text, is_animated: flag, is_video: flag })),
  live_photo: thing,
  location: optional(Place),
  venue: optional(z.object({ location: Place, title: text, address: text })),
  contact: optional(z.object({ phone_number: z.string(), first_name: text, last_name: text })),
  poll: optional(
    z.object({ type: text, question: z.string(), options: listOf(z.object({ text: z.string() })).transform(orNone) }),
  ),
  checklist: optional(
    z.object({
      title: z.string(),
      tasks: listOf(z.object({ text: z.string(), completion_date: number })).transform(orNone),
    }),
  ),
  dice: optional(z.object({ emoji: z.string(), value: z.number() })),
  game: optional(z.object({ title: z.string() })),
  story: thing,
  invoice: optional(z.object({ title: text, description: text })),
  paid_media: thing,
  giveaway: thing,
};

function orNone<Entry>(list: readonly Entry[] | undefined): readonly Entry[] {
  return list ?? [];
}

/** The media of a block of a rich message; nothing for one in a form that is not known. */
export function knownContent(content: unknown): Content {
  return (z.object(CONTENT).safeParse(content).data ?? {}) as unknown as Content;
}

const Quote = z.object({ text: z.string(), entities, is_manual: flag });

const Answered = z.object({
  message_id: Id,
  chat: optional(Chat),
  from: optional(User),
  sender_chat: optional(TitledChat),
  author_signature: text,
  forward_origin: optional(Origin),
  forum_topic_created: optional(z.object({ name: text })),
  text,
  caption: text,
  entities,
  caption_entities: entities,
  rich_message: optional(z.object({ blocks: z.array(z.unknown()) })),
  ...CONTENT,
});

const Message = Answered.extend({
  chat: Chat,
  is_automatic_forward: flag,
  is_topic_message: flag,
  message_thread_id: id,
  direct_messages_topic: optional(z.object({ topic_id: Id, user: optional(User) })),
  media_group_id: text,
  migrate_to_chat_id: id,
  migrate_from_chat_id: id,
  reply_to_message: optional(Answered),
  external_reply: optional(z.object({ origin: Origin, message_id: id, ...CONTENT })),
  reply_to_story: optional(z.object({ chat: TitledChat })),
  quote: optional(Quote),
});

const Press = z.object({ id: z.string(), from: User, message: optional(Message), data: text });

const KnownUpdate = z.object({ update_id: Id, message: optional(Message), callback_query: optional(Press) });

/**
 * What is read of an update of the Bot API: each field by itself, so that one in a form that is not known here takes
 * nothing else with it. Null for something without a number, which can't even be acknowledged.
 */
export function knownUpdate(update: unknown): Update | null {
  // Every field has the type that grammY gives it, or is absent.
  return (KnownUpdate.safeParse(update).data as unknown as Update | undefined) ?? null;
}
