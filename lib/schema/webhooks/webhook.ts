import { z } from "zod";
import { AgentId } from "@/lib/schema/agents/agent-id";
import { secret } from "@/lib/schema/new-secret";
import { shownOnce } from "@/lib/schema/shown-once";
import { readInterval } from "@/lib/schema/triggers/interval";
import { MadeByKey } from "@/lib/schema/users/api-key";

/** An incoming request's proof of origin; `none`: the secret itself, as a bearer token. */
export const HookSignature = z.enum(["standard", "github", "hmac", "none"]);
export type HookSignature = z.infer<typeof HookSignature>;

/** An event that webhooks can subscribe to. */
export const WebhookEvent = z.enum([
  "run.completed",
  "run.failed",
  "run.waiting",
  "run.limit",
  "approval.requested",
  "budget.reached",
]);
export type WebhookEvent = z.infer<typeof WebhookEvent>;

const WEEK_MS = 7 * 86_400_000;
const name = z.string().trim().min(1).max(120);
const usd = z.number().positive().max(1_000_000);
const signingSecret = secret(z.string())
  .min(16)
  .max(200)
  .regex(/^[\x21-\x7e]+$/, "must be printable ASCII without spaces")
  .describe("At least 16 characters; by default one is made. For standard: whsec_ and base64.")
  .optional();

const PLAIN_INCOMING = {
  name,
  prompt: z.string().trim().min(1).max(32_768).describe("{{/json/pointer}} is replaced by that value of the body."),
  runAs: z.string().min(1).max(200).nullable().describe("Whose rights its runs have; null: the user `automation`."),
  budget: z.strictObject({ run_usd: usd.nullable().default(null), day_usd: usd.nullable().default(null) }),
  on_ask: z.enum(["wait", "deny"]),
  thread: z.enum(["new", "same"]),
  signature: HookSignature,
  header: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,100}$/, "must be the name of a header")
    .describe("Where a plain HMAC stands."),
  rate_per_minute: z.number().int().min(1).max(10_000),
  repeats: z
    .enum(["known", "allow"])
    .describe("`allow`: a body that was seen longer ago than `repeatWindow` starts a run again. Without a signed id."),
  repeatWindow: z
    .string()
    .refine((text) => (readInterval(text) ?? Number.POSITIVE_INFINITY) <= WEEK_MS, "must be such as 10m, at most 7d")
    .describe("How long an id that is not signed tells two equal bodies apart."),
} as const;

export const INCOMING_FIELDS = {
  ...PLAIN_INCOMING,
  runAs: PLAIN_INCOMING.runAs.default(null),
  budget: PLAIN_INCOMING.budget.prefault({}),
  on_ask: PLAIN_INCOMING.on_ask.default("deny"),
  thread: PLAIN_INCOMING.thread.default("new"),
  header: PLAIN_INCOMING.header.default("x-signature"),
  rate_per_minute: PLAIN_INCOMING.rate_per_minute.default(60),
  repeats: PLAIN_INCOMING.repeats.default("known"),
  repeatWindow: PLAIN_INCOMING.repeatWindow.default("10m"),
} as const;

/** The stored data of a `webhook` trigger; it runs as its owner. */
export const StoredIncoming = z.strictObject(INCOMING_FIELDS).omit({ runAs: true });
export type StoredIncoming = z.output<typeof StoredIncoming>;

const PLAIN_OUTGOING = {
  name,
  url: z.url({ protocol: /^https?$/ }).max(2_000),
  events: z.array(WebhookEvent).min(1).max(20),
  agentId: AgentId.nullable().describe("Only what happens to runs of this agent; null: of all."),
} as const;

/** POST `/api/webhooks`. */
export const CreateWebhookBody = z.discriminatedUnion("direction", [
  z.strictObject({ direction: z.literal("in"), agentId: AgentId, ...INCOMING_FIELDS, secret: signingSecret }),
  z.strictObject({
    direction: z.literal("out"),
    ...PLAIN_OUTGOING,
    agentId: PLAIN_OUTGOING.agentId.default(null),
    secret: signingSecret,
  }),
]);
export type CreateWebhookBody = z.output<typeof CreateWebhookBody>;

/** PATCH `/api/webhooks/{id}`: omitted fields keep their values. Each direction has its own fields; `secret` belongs to another `url`. */
export const UpdateWebhookBody = z
  .strictObject({ ...PLAIN_INCOMING, ...PLAIN_OUTGOING, enabled: z.boolean(), secret: signingSecret })
  .omit({ signature: true })
  .partial();
export type UpdateWebhookBody = z.output<typeof UpdateWebhookBody>;

/** A secret that is in use, or stays valid while the next one replaces it: never the text itself. */
const ShownSecret = z.object({ number: z.number(), createdAt: z.string(), expiresAt: z.string().nullable() });

const SHOWN = {
  id: z.string(),
  enabled: z.boolean(),
  secrets: z.array(ShownSecret),
  /** Time of its last use; null if never used. */
  lastAt: z.string().nullable(),
  createdAt: z.string(),
} as const;

export const IncomingWebhook = z.object({
  direction: z.literal("in"),
  ...SHOWN,
  ...INCOMING_FIELDS,
  agentId: z.string(),
  agentName: z.string(),
  runAsName: z.string(),
  /** The target of its requests. */
  url: z.string(),
  /** Null unless it was made, or last changed, with an API key. */
  apiKey: MadeByKey.nullable(),
  /** Why it is off, in words; null if a person switched it off, or it is on. */
  pausedReason: z.string().nullable(),
  /** Requests of the last seven days. */
  started: z.number(),
  refused: z.number(),
});
export type IncomingWebhook = z.infer<typeof IncomingWebhook>;

export const OutgoingWebhook = z.object({
  direction: z.literal("out"),
  ...SHOWN,
  ...PLAIN_OUTGOING,
  /** Deliveries of the last 90 days, by state. */
  sent: z.number(),
  pending: z.number(),
  failed: z.number(),
});
export type OutgoingWebhook = z.infer<typeof OutgoingWebhook>;

export const Webhook = z.discriminatedUnion("direction", [IncomingWebhook, OutgoingWebhook]);
export type Webhook = z.infer<typeof Webhook>;

/** GET `/api/webhooks`: by name. */
export const WebhookList = z.object({ webhooks: z.array(Webhook) });

/** The only reply that contains the secret. */
export const CreatedWebhook = Webhook.and(z.object({ secret: shownOnce(z.string()) }));
export type CreatedWebhook = z.infer<typeof CreatedWebhook>;

/** POST `/api/webhooks/{id}/rotate`. */
export const RotatedSecret = z.object({ secret: shownOnce(z.string()) });

/** POST `/api/webhooks/{id}/test`: a body for an incoming one, an event for an outgoing one. */
export const TestWebhookBody = z.union([
  z.strictObject({ body: z.string().max(200_000) }),
  z.strictObject({ event: WebhookEvent }),
]);
export type TestWebhookBody = z.output<typeof TestWebhookBody>;

/** The run a body would start (nothing is stored), or an address's reply. */
export const TestWebhookReply = z.discriminatedUnion("direction", [
  z.object({
    direction: z.literal("in"),
    prompt: z.string(),
    /** The headers such a request would have now. */
    headers: z.record(z.string(), z.string()),
    agentVersion: z.number().nullable(),
    /** The input guard's findings in it; a blocked one starts nothing. */
    findings: z.array(z.string()),
    isBlocked: z.boolean(),
  }),
  z.object({ direction: z.literal("out"), deliveryId: z.string(), state: z.string() }),
]);
export type TestWebhookReply = z.infer<typeof TestWebhookReply>;

/** POST `/hooks/{id}`: 202, or 200 with `?wait=` once the run has ended. */
export const HookReply = z.object({ run_id: z.string() });
export const HookEndReply = z.object({ run_id: z.string(), status: z.string(), response: z.string().nullable() });
