import { z } from "zod";
import { AgentId } from "@/lib/schema/agents/agent-id";
import { ChannelKind, EmailCredentials, SlackCredentials, TelegramCredentials } from "./channel-credentials";

const PLAIN = {
  name: z.string().trim().min(1).max(80),
  agentId: AgentId.describe("Who answers in chats whose person has chosen no other agent."),
} as const;

const apiRoot = z
  .url({ protocol: /^https?$/ })
  .max(500)
  .refine((url) => !url.endsWith("/"), "must not end with a slash")
  .describe("Default: the service's own address.")
  .optional();

/** POST `/api/channels`. */
export const CreateChannelBody = z.discriminatedUnion("kind", [
  TelegramCredentials.extend({ ...PLAIN, apiRoot }),
  z.strictObject({ ...SlackCredentials.shape, ...PLAIN, apiRoot }),
  EmailCredentials.extend(PLAIN),
]);
export type CreateChannelBody = z.output<typeof CreateChannelBody>;

/** PATCH `/api/channels/{id}`: what is left out stays; `credentials` replaces all of them. */
export const UpdateChannelBody = z
  .strictObject({
    ...PLAIN,
    enabled: z.boolean(),
    credentials: z.discriminatedUnion("kind", [TelegramCredentials, SlackCredentials, EmailCredentials]),
  })
  .partial();
export type UpdateChannelBody = z.output<typeof UpdateChannelBody>;

/** How a channel is doing; `idle`: no process holds it yet. */
export const ChannelState = z.enum(["connected", "failed", "idle", "off"]);
export type ChannelState = z.infer<typeof ChannelState>;

/** What was turned away in seven days. */
const TurnedAway = z.object({
  kind: z.enum(["stranger", "other_person", "forged", "repeat", "signature", "paused", "refused"]),
  count: z.number(),
  /** In words: the last one. */
  detail: z.string().nullable(),
});
export type TurnedAway = z.infer<typeof TurnedAway>;

/** A channel as `/api/channels` shows it. Times are ISO 8601. */
export const Channel = z.object({
  id: z.string(),
  kind: ChannelKind,
  name: z.string(),
  agentId: z.string(),
  agentName: z.string().nullable(),
  enabled: z.boolean(),
  state: ChannelState,
  /** Who it is, as the service said at the last test that passed. */
  username: z.string().nullable(),
  testedAt: z.string().nullable(),
  testedMs: z.number().nullable(),
  /** The last characters of its token. */
  ending: z.string().nullable(),
  apiRoot: z.string().nullable(),
  /** How messages arrive, in words. */
  receives: z.string(),
  /** What has to be entered at the service; null where nothing has to. */
  hookUrl: z.string().nullable(),
  connectedAt: z.string().nullable(),
  failedAt: z.string().nullable(),
  /** The service's words. */
  error: z.string().nullable(),
  lastUpdateAt: z.string().nullable(),
  /** The service last asked to wait then, and for so long. */
  waitedAt: z.string().nullable(),
  waitedSeconds: z.number().nullable(),
  turnedAway: z.array(TurnedAway),
  createdAt: z.string(),
});
export type Channel = z.infer<typeof Channel>;

/** POST `/api/channels/{id}/test`. */
export const ChannelTest = z.object({
  ok: z.boolean(),
  username: z.string().nullable(),
  error: z.string().nullable(),
  tookMs: z.number(),
});
export type ChannelTest = z.infer<typeof ChannelTest>;
