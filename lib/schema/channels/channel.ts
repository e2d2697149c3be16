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

/** PATCH `/api/channels/{id}`: omitted fields keep their values; `credentials` replaces all of them. */
export const UpdateChannelBody = z
  .strictObject({
    ...PLAIN,
    enabled: z.boolean(),
    credentials: z.discriminatedUnion("kind", [TelegramCredentials, SlackCredentials, EmailCredentials]),
  })
  .partial();
export type UpdateChannelBody = z.output<typeof UpdateChannelBody>;

/** A channel's health; `idle`: no process holds it yet. */
export const ChannelState = z.enum(["connected", "failed", "idle", "off"]);
export type ChannelState = z.infer<typeof ChannelState>;

/** Messages rejected in the last seven days. */
const TurnedAway = z.object({
  kind: z.enum(["stranger", "other_person", "forged", "repeat", "signature", "paused", "refused"]),
  count: z.number(),
  /** The latest rejection, in words. */
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
  /** The bot's name, as the service reported it at the last successful test. */
  username: z.string().nullable(),
  testedAt: z.string().nullable(),
  testedMs: z.number().nullable(),
  /** The token's last characters. */
  ending: z.string().nullable(),
  apiRoot: z.string().nullable(),
  /** The way messages arrive, in words. */
  receives: z.string(),
  /** The address to enter at the service; null if it needs none. */
  hookUrl: z.string().nullable(),
  connectedAt: z.string().nullable(),
  failedAt: z.string().nullable(),
  /** The service's words. */
  error: z.string().nullable(),
  lastUpdateAt: z.string().nullable(),
  /** Time of the service's last request to wait, and its length. */
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
