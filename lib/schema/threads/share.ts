import { z } from "zod";
import { shownOnce } from "@/lib/schema/shown-once";
import { TranscriptMessage } from "./thread";

/** Optional parts of a share besides the texts and the names of tools, ticked by its owner. */
export const SHARE_INCLUDES = ["arguments", "results", "reasoning", "files", "cost"] as const;
const ShareInclude = z.enum(SHARE_INCLUDES);
export type ShareInclude = z.infer<typeof ShareInclude>;

/** POST `/api/threads/{id}/share`. */
export const ShareThreadBody = z.strictObject({
  /** Expiry of the link; omitted or null: it never expires. */
  expiresAt: z.iso
    .datetime({ offset: true })
    .refine((at) => Date.parse(at) > Date.now(), { message: "must be in the future" })
    .nullable()
    .optional(),
  include: z.array(ShareInclude).max(SHARE_INCLUDES.length).optional(),
});
export type ShareThreadBody = z.infer<typeof ShareThreadBody>;

export const ShareSummary = z.object({
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  include: z.array(ShareInclude),
  /** Number of messages shown. */
  messages: z.number(),
});
export type ShareSummary = z.infer<typeof ShareSummary>;

/** The link is in this reply only: just its hash is stored. */
export const CreatedShare = ShareSummary.extend({ url: shownOnce(z.string()) });
export type CreatedShare = z.infer<typeof CreatedShare>;

/** GET `/api/threads/{id}/share`. */
export const ShareState = z.object({
  /** Null while the thread is not shared. */
  share: ShareSummary.nullable(),
  /** Whether the link works for people who are not signed in. */
  isPublic: z.boolean(),
});
export type ShareState = z.infer<typeof ShareState>;

const SharedFile = z.object({ path: z.string(), sizeBytes: z.number() });

/** A share without its messages. */
const SharedHead = z.object({
  title: z.string().nullable(),
  agentName: z.string(),
  /** Cost of all that is shown, with `cost`; null if a price is unknown. */
  costUsd: z.number().nullable().optional(),
});

/** As it is stored. */
export const StoredShare = SharedHead.extend({
  messages: z.array(TranscriptMessage),
  files: z.array(SharedFile.extend({ hash: z.string() })),
  /** The API key that it was made with, and ends with; never shown. */
  madeByKey: z.string().optional(),
});
export type StoredShare = z.infer<typeof StoredShare>;

/**
 * GET `/api/shares/{token}`: a page of the messages from position `from` on, oldest first, with the share's other
 * facts.
 */
export const SharedPage = SharedHead.extend({
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  include: z.array(ShareInclude),
  files: z.array(SharedFile),
  messages: z.array(TranscriptMessage),
  /** Start of the next page; null at the end. */
  nextFrom: z.number().nullable(),
});
export type SharedPage = z.infer<typeof SharedPage>;

export const ShareToken = z.string().min(1).max(100);
export const SharedPageQuery = z.strictObject({ from: z.coerce.number().int().min(0).max(1_000_000).default(0) });
