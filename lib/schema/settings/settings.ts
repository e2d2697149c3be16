import { z } from "zod";
import { newSecret } from "@/lib/schema/new-secret";
import { readDuration } from "./duration";
import { GUARD_MODES } from "./guard-mode";
import { WebSearchBody, WebSearchSettings } from "./web-search";

/** A retention time: a number of hours, days, weeks or years; null for ever. */
const KeptFor = z
  .string()
  .refine((text) => /^[1-9]\d{0,3}[hdwy]$/.test(text) && readDuration(text) !== undefined, {
    message: "must be a number with h, d, w or y, such as 30d",
  })
  .nullable();

export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
const LogLevel = z.enum(LOG_LEVELS);

export const RETENTION_KINDS = ["events", "traces", "audit", "threads", "deletedThreads", "fileVersions"] as const;
export type RetentionKind = (typeof RETENTION_KINDS)[number];
const kinds = {
  events: KeptFor,
  traces: KeptFor,
  audit: KeptFor,
  threads: KeptFor,
  deletedThreads: KeptFor,
  fileVersions: KeptFor,
};

/** An agent's own retention times; omitted fields use the installation's setting. */
const AgentRetention = z.strictObject({ events: KeptFor.optional(), traces: KeptFor.optional() });
export type AgentRetention = z.infer<typeof AgentRetention>;
const agentRetention = z.record(z.string().min(1).max(100), AgentRetention);

/** A pattern is RE2; the replacement may name its groups (`$1`). */
export const MaskingRule = z.strictObject({
  name: z.string().trim().min(1, "must not be empty").max(60),
  pattern: z.string().min(1, "must not be empty").max(1_000),
  replacement: z.string().max(200),
});
export type MaskingRule = z.infer<typeof MaskingRule>;
const rules = z.array(MaskingRule).max(50);

const branding = {
  name: z.string().trim().min(1, "must not be empty").max(40),
  signInText: z.string().trim().max(500),
};

const SMTP_SECURITY = ["none", "starttls", "tls"] as const;
const smtp = {
  host: z.string().trim().min(1, "must not be empty").max(253),
  port: z.number().int().min(1).max(65_535),
  /** `starttls` refuses a server that does not offer it. */
  security: z.enum(SMTP_SECURITY),
  user: z.string().trim().min(1).max(320).nullable(),
  /** The sender: an address, or `Name <address>`. */
  from: z
    .string()
    .trim()
    .max(320)
    .refine((text) => z.email().safeParse(/^[^<>\r\n]*<([^<>]+)>$/.exec(text)?.[1] ?? text).success, {
      message: "must be an address, such as Ringmaster <agents@example.org>",
    }),
};
/** PATCH: an omitted password is kept; it must be given again if host, port or security change. */
export const SmtpBody = z.strictObject({ ...smtp, password: newSecret(1_000).nullable().optional() });
export type SmtpBody = z.infer<typeof SmtpBody>;

const Smtp = z.object({ ...smtp, password: z.object({ set: z.literal(true), keyId: z.string() }).nullable() });

/** As it is stored: the password is encrypted. */
export const StoredSmtp = z.object({ ...smtp, sealed: z.string().nullable() });
export type StoredSmtp = z.infer<typeof StoredSmtp>;

const backup = {
  /** An absolute path on the server; null for no automatic backups. */
  folder: z.string().trim().min(1).max(1_000).startsWith("/", "must be an absolute path").nullable(),
  everyHours: z.number().int().min(1).max(720),
  /** Number of backups kept. */
  keep: z.number().int().min(1).max(365),
};
export const BackupBody = z.strictObject(backup);

/** How many schedules a person may have who is no administrator; those of agents' configs don't count. */
export const SchedulesPerPerson = z.number().int().min(1).max(10_000);

/** Settings that an environment variable fixes: `{"retention.traces": "RINGMASTER_RETENTION"}`. */
const Fixed = z.record(z.string(), z.string());

/** GET `/api/settings`: what is in force. */
export const Settings = z.object({
  branding: z.object(branding),
  logLevel: LogLevel,
  /** The message guard of agents that do not choose (`guard.mode: default`). */
  guardDefault: z.enum(GUARD_MODES),
  retention: z.object({ ...kinds, agents: agentRetention }),
  masking: z.object({ rules }),
  /** Null: no mail is sent. */
  smtp: Smtp.nullable(),
  backup: z.object(backup),
  /** Whether people who are not signed in can read shared threads by their links. */
  publicShares: z.boolean(),
  schedulesPerPerson: SchedulesPerPerson,
  webSearch: WebSearchSettings,
  fixed: Fixed,
});
export type Settings = z.infer<typeof Settings>;

/** PATCH: omitted fields keep their values. A list and the rules of agents are replaced as a whole. */
export const ChangeSettingsBody = z
  .strictObject({
    branding: z.strictObject(branding).partial(),
    logLevel: LogLevel,
    guardDefault: z.enum(GUARD_MODES),
    retention: z.strictObject({ ...kinds, agents: agentRetention }).partial(),
    masking: z.strictObject({ rules }),
    smtp: SmtpBody.nullable(),
    backup: z.strictObject(backup).partial(),
    publicShares: z.boolean(),
    schedulesPerPerson: SchedulesPerPerson,
    webSearch: WebSearchBody,
  })
  .partial();
export type ChangeSettingsBody = z.infer<typeof ChangeSettingsBody>;

/** POST `/api/settings/masking/try`; without `rules`, those in force apply. */
export const TryMaskingBody = z.strictObject({ text: z.string().max(100_000), rules: rules.optional() });
export type TryMaskingBody = z.infer<typeof TryMaskingBody>;

export const TriedMasking = z.object({
  text: z.string(),
  /** Number of matches of each matching rule, in rule order. */
  hits: z.array(z.object({ name: z.string(), count: z.number() })),
});
export type TriedMasking = z.infer<typeof TriedMasking>;

/** POST `/api/settings/retention/try`: what the change would delete at once that is kept now, and vice versa. */
export const TryRetentionBody = z.strictObject({
  retention: z.strictObject({ ...kinds, agents: agentRetention }).partial(),
});
export type TryRetentionBody = z.infer<typeof TryRetentionBody>;

const Counts = z.object({
  traces: z.number(),
  audit: z.number(),
  threads: z.number(),
  deletedThreads: z.number(),
  fileVersions: z.number(),
});
export const TriedRetention = z.object({ now: Counts, proposed: Counts });
export type TriedRetention = z.infer<typeof TriedRetention>;

/** POST `/api/settings/smtp/test`; `smtp` defaults to what is in force, `to` to the caller. */
export const TestMailBody = z.strictObject({ to: z.email().optional(), smtp: SmtpBody.optional() });
export type TestMailBody = z.infer<typeof TestMailBody>;

/** The outcome of a mail, in the server's own words. */
export const SentMail = z.object({
  ok: z.boolean(),
  to: z.string(),
  latencyMs: z.number(),
  /** The last line from the server that accepted it. */
  answer: z.string().optional(),
  error: z.string().optional(),
});
export type SentMail = z.infer<typeof SentMail>;
