import { z } from "zod";
import { ChannelKind } from "@/lib/schema/channels/channel-credentials";
import { plainText } from "@/lib/schema/plain-text";

/**
 * Kinds of notifications. `failed` also covers a limit and a run interrupted by the server stopping; `schedule`: one
 * that missed a due time or paused; `delivery`: one that was given up; `board`: one whose cards are all done; `alert`: one
 * on traces that fires or has recovered.
 */
export const NotificationKind = z.enum([
  "decision",
  "finished",
  "failed",
  "budget",
  "schedule",
  "delivery",
  "board",
  "alert",
]);
export type NotificationKind = z.infer<typeof NotificationKind>;

/** When notifications of a kind are sent: each at once, or all of them together once a day. */
export const NotificationHow = z.enum(["at_once", "daily"]);
export type NotificationHow = z.infer<typeof NotificationHow>;

/** Notification ways: in an open page, by web push, by email, in a linked chat. */
export const NotificationWay = z.enum(["page", "push", "email", "channel"]);
export type NotificationWay = z.infer<typeof NotificationWay>;

const Ways = z.strictObject({
  page: z.boolean(),
  push: z.boolean(),
  email: z.boolean(),
  channel: z.boolean().default(false),
});

const ClockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time such as 22:00");

const QuietHours = z
  .strictObject({
    from: ClockTime,
    to: ClockTime,
    decisionsPass: z.boolean(),
    /** The days on which quiet hours begin, 0 is Sunday. Default: every day. */
    days: z.array(z.number().int().min(0).max(6)).min(1).max(7).optional(),
    /** When quiet hours end, one message summarises what came up, instead of one each. */
    summary: z.boolean().optional(),
  })
  .refine(({ from, to }) => from !== to, { path: ["to"], message: "must differ from the beginning" });
export type QuietHours = z.infer<typeof QuietHours>;

/** The detail of a notification: only that there is something; who asks; or also the call and the result. */
export const NotificationDetail = z.enum(["short", "who", "full"]);
export type NotificationDetail = z.infer<typeof NotificationDetail>;

const NONE = { page: false, push: false, email: false, channel: false };

/** A person's choices. Quiet hours are in the person's time zone and may cross midnight. */
export const NotificationPreferences = z.strictObject({
  ways: z.strictObject({
    decision: Ways,
    finished: Ways,
    failed: Ways,
    budget: Ways,
    schedule: Ways.default(NONE),
    delivery: Ways.default(NONE),
    board: Ways.default(NONE),
    alert: Ways.default(NONE),
  }),
  /** Default: at once. */
  how: z.partialRecord(NotificationKind, NotificationHow).default({}),
  quietHours: QuietHours.nullable(),
  words: NotificationDetail,
  /** Nothing at all is sent before then; what comes up is kept. */
  pausedUntil: z.iso.datetime().nullable().default(null),
});
export type NotificationPreferences = z.output<typeof NotificationPreferences>;

/** Of a person who joins: everything in an open page, nothing elsewhere. */
export function firstNotifications(): NotificationPreferences {
  const inPage = { ...NONE, page: true };
  return {
    ...NO_NOTIFICATIONS,
    ways: {
      decision: inPage,
      finished: inPage,
      failed: inPage,
      budget: inPage,
      schedule: inPage,
      delivery: inPage,
      board: inPage,
      alert: inPage,
    },
  };
}

/** Of a person who joined an earlier version and has not switched anything on. */
export const NO_NOTIFICATIONS: NotificationPreferences = {
  ways: {
    decision: NONE,
    finished: NONE,
    failed: NONE,
    budget: NONE,
    schedule: NONE,
    delivery: NONE,
    board: NONE,
    alert: NONE,
  },
  how: {},
  quietHours: null,
  words: "short",
  pausedUntil: null,
};

const LONGEST_PAUSE_MINUTES = 24 * 60;

const SomeWays = z
  .strictObject({ page: z.boolean(), push: z.boolean(), email: z.boolean(), channel: z.boolean() })
  .partial();

/** PATCH `/api/notifications`: omitted fields keep their values. */
export const ChangeNotificationsBody = z.strictObject({
  ways: z.partialRecord(NotificationKind, SomeWays).optional(),
  how: z.partialRecord(NotificationKind, NotificationHow).optional(),
  quietHours: QuietHours.nullable().optional(),
  words: NotificationDetail.optional(),
  /** From now on; 0 resumes at once. */
  pauseMinutes: z.number().int().min(0).max(LONGEST_PAUSE_MINUTES).optional(),
});
export type ChangeNotificationsBody = z.infer<typeof ChangeNotificationsBody>;

/** A browser subscribed to web push; `service` is the host that delivers its messages. */
export const PushDevice = z.object({
  id: z.string(),
  name: z.string(),
  service: z.string(),
  createdAt: z.string(),
  lastSentAt: z.string().nullable(),
});
export type PushDevice = z.infer<typeof PushDevice>;

/** The chat to which the way `channel` goes: the direct one that the person used last. */
const NoticeChat = z.object({ kind: ChannelKind, channelName: z.string(), chatName: z.string() });

/**
 * GET `/api/notifications`. `canMail`: the installation has a mail server. `chat`: null until a chat is linked.
 * `pushKey` is what browsers subscribe with.
 */
export const NotificationSettings = NotificationPreferences.extend({
  timeZone: z.string().nullable(),
  /** Applies if a person has chosen none. */
  serverTimeZone: z.string(),
  email: z.string(),
  canMail: z.boolean(),
  chat: NoticeChat.nullable(),
  pushKey: z.string(),
  devices: z.array(PushDevice),
});
export type NotificationSettings = z.infer<typeof NotificationSettings>;

/** Without padding, as browsers send it. */
const base64url = (characters: number) =>
  z.string().regex(new RegExp(`^[A-Za-z0-9_-]{${characters}}$`), "must be base64url");

/** POST `/api/push-subscriptions`: the browser's `PushSubscription.toJSON()`, with a name for the list. */
export const PushSubscriptionBody = z.strictObject({
  name: plainText(120),
  endpoint: z.url({ protocol: /^https$/, error: "must be an https:// address" }).max(2_000),
  expirationTime: z.number().nullable().optional(),
  keys: z.strictObject({ p256dh: base64url(87), auth: base64url(22) }),
});
export type PushSubscriptionBody = z.infer<typeof PushSubscriptionBody>;

export const PushDeviceList = z.object({ devices: z.array(PushDevice) });
/** The push service's response to a test. */
export const PushTest = z.object({ ok: z.boolean(), error: z.string().nullable() });
export type PushTest = z.infer<typeof PushTest>;

/** POST `/api/push-decisions`, from a button of a push notification: the token is the only credential. */
export const PushDecisionBody = z.strictObject({
  token: z.string().min(20).max(300),
  decision: z.enum(["allow", "deny"]),
});
export type PushDecisionBody = z.infer<typeof PushDecisionBody>;
export const PushDecisionReply = z.object({ runId: z.string(), decision: z.enum(["allow", "deny"]) });

/** The service worker's payload. `token` comes with the buttons; without it a click opens `path`. */
export const PushMessage = z.object({
  title: z.string(),
  body: z.string(),
  /** Messages about the same thing replace each other. */
  tag: z.string(),
  path: z.string(),
  token: z.string().optional(),
  /** Allow is offered only if the body shows the whole call. */
  mayAllow: z.boolean().optional(),
  /** Shown only if it replaces a notification with the same tag. */
  replaces: z.literal(true).optional(),
});
export type PushMessage = z.infer<typeof PushMessage>;
