import { z } from "zod";
import { secret } from "@/lib/schema/new-secret";

export const ChannelKind = z.enum(["telegram", "slack", "email"]);
export type ChannelKind = z.infer<typeof ChannelKind>;

const botSecret = secret(z.string())
  .trim()
  .min(1)
  .max(400)
  .regex(/^[\x21-\x7e]+$/, "must be printable ASCII without spaces");
const host = z.string().trim().min(1).max(253);
const port = z.number().int().min(1).max(65_535);
const text = z.string().min(1).max(400);

export const TelegramCredentials = z.strictObject({
  kind: z.literal("telegram"),
  token: botSecret.regex(/^\d+:[\w-]+$/, "must be a bot's token as BotFather gives it, such as 123456:ABC-DEF"),
  receive: z
    .enum(["polling", "webhook"])
    .default("polling")
    .describe("webhook: Telegram calls this installation, which needs an https address that it can reach."),
});
export type TelegramCredentials = z.output<typeof TelegramCredentials>;

export const SlackCredentials = z
  .strictObject({
    kind: z.literal("slack"),
    token: botSecret.startsWith("xoxb-", "must be a bot token, which begins with xoxb-"),
    appToken: botSecret
      .startsWith("xapp-", "must be an app-level token, which begins with xapp-")
      .describe("For Socket Mode: nothing has to reach this installation.")
      .optional(),
    signingSecret: botSecret.describe("For events that Slack posts to this installation.").optional(),
  })
  .refine(({ appToken, signingSecret }) => appToken !== undefined || signingSecret !== undefined, {
    message: "give an app token (Socket Mode) or a signing secret (events)",
    path: ["appToken"],
  });
export type SlackCredentials = z.output<typeof SlackCredentials>;

const mailServer = {
  host,
  port,
  secure: z.boolean().describe("TLS from the first byte; false: STARTTLS."),
  user: text,
  password: secret(z.string()).min(1).max(400),
} as const;

export const EmailCredentials = z.strictObject({
  kind: z.literal("email"),
  address: z.email().max(254).describe("People write to it, and answers come from it."),
  imap: z.strictObject(mailServer),
  smtp: z.strictObject(mailServer),
  authservId: host.describe("Whose Authentication-Results count: the id of the server that receives the mail."),
});
export type EmailCredentials = z.output<typeof EmailCredentials>;

/** A channel's credentials, stored encrypted; the fields depend on the kind. */
export const ChannelCredentials = z.discriminatedUnion("kind", [
  TelegramCredentials,
  SlackCredentials,
  EmailCredentials,
]);
export type ChannelCredentials = z.output<typeof ChannelCredentials>;
