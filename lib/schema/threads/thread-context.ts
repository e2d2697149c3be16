import { z } from "zod";
import { ContextRule, WindowSource } from "@/lib/schema/agents/context-rule";
import { MessageRole } from "@/lib/schema/messages/message";
import { Estimated, SectionTokens } from "@/lib/schema/runs/section-tokens";
import { SendMode } from "@/lib/schema/threads/queue";

/**
 * Query of GET `/api/threads/{id}/context`. `model` (`provider:model`) is the one that the next message would pick
 * instead of the agent's own. `prompt=false` omits the text of the system prompt, `request=true` includes the whole
 * request.
 */
export const ThreadContextQuery = z.strictObject({
  model: z.string().min(1).max(200).optional(),
  prompt: z.stringbool().default(true),
  request: z.stringbool().default(false),
});
export type ThreadContextQuery = z.infer<typeof ThreadContextQuery>;

/**
 * Everything that the next call sends. `from` of a section is the hook that added it, or `agent`; `name` of a message
 * is the tool whose result it is. A call's arguments are as the model wrote them. `newLines` of a section are the lines,
 * counted from 1, that version `newIn` of the agent has added.
 */
export const NextRequestText = z.object({
  sections: z.array(
    SectionTokens.extend({
      text: z.string(),
      from: z.string(),
      newLines: z.array(z.number()).optional(),
      newIn: z.number().optional(),
      sources: z.array(z.object({ name: z.string(), firstLine: z.number(), lastLine: z.number() })).optional(),
    }),
  ),
  messages: z.array(
    z.object({
      role: MessageRole,
      name: z.string().nullable(),
      content: z.string(),
      calls: z.array(z.object({ name: z.string(), arguments: z.string() })),
      isSummary: z.boolean(),
      /** It was added after the last model call was sent. */
      isNew: z.boolean(),
      tokens: z.number(),
      estimated: Estimated,
    }),
  ),
  tools: z.array(SectionTokens.extend({ description: z.string(), parameters: z.record(z.string(), z.unknown()) })),
  /** How many tokens of the last model call came from the provider's cache; null if unknown. */
  cachedTokens: z.number().nullable(),
  /** The messages that wait and are not in it, in reading order; `gist` is the beginning. */
  queued: z.array(z.object({ gist: z.string(), mode: SendMode, tokens: z.number(), estimated: Estimated })),
});
export type NextRequestText = z.infer<typeof NextRequestText>;

/**
 * GET `/api/threads/{id}/context/last`: what the thread's last model call sent; null if a text of it is no longer kept.
 */
export const LastRequest = z.object({
  step: z.number(),
  request: NextRequestText.pick({ sections: true, messages: true, tools: true }).nullable(),
});
export type LastRequest = z.infer<typeof LastRequest>;

/**
 * GET `/api/threads/{id}/context`: what the model would get next, in tokens. `sections` has the parts of the system
 * prompt in order, then `tools`, `summary`, `messages` and `tool_results`; `used` is their sum. `rules` say from how
 * many tokens of the conversation alone (`conversation`) they act, and whether they would now. `prompt` is the text of
 * the system prompt, for whoever may read it. With `windowFrom: assumed` the window's size is a guess.
 */
export const ThreadContext = z.object({
  /** Who answers next; null for a draft. */
  agentName: z.string(),
  version: z.number().nullable(),
  window: z.number(),
  windowFrom: WindowSource,
  used: z.number(),
  conversation: z.number(),
  sections: z.array(SectionTokens),
  /**
   * The results of single calls in the window, the largest first; `gist` is the first of the call's arguments,
   * `cutFrom` the original length of one that is now shortened or cleared.
   */
  results: z.array(
    z.object({ tool: z.string(), gist: z.string(), tokens: z.number(), cutFrom: z.number().nullable() }),
  ),
  /**
   * Numbers of items in the window; `messages` excludes results and the summary. `skills` are those that the prompt
   * names, of those that were found; `documents` are those of the memory. Null: the prompt has no such section.
   */
  counts: z.object({
    tools: z.number(),
    messages: z.number(),
    cutResults: z.number(),
    skills: z.object({ named: z.number(), all: z.number() }).nullable(),
    documents: z.number().nullable(),
  }),
  /** Tokens that shortening and clearing old results currently saves. */
  savedTokens: z.number(),
  /** Number of tokens that a step has recently added to this conversation; null if too few steps are known. */
  stepTokens: z.number().nullable(),
  /** The last model call; null before the first one. */
  lastStep: z.number().nullable(),
  /** The next model call of the current run; null if no run is going on. */
  nextStep: z.number().nullable(),
  rules: z.array(ContextRule.extend({ fires: z.boolean() })),
  /** Compaction is also due with more than `most` messages, once they take `from` tokens; `stored` is their number now. */
  messageLimit: z.object({ most: z.number(), from: z.number(), stored: z.number() }).nullable(),
  /** Number of compactions of the thread. */
  compactions: z.number(),
  /** The summary that the model reads in place of the messages it replaced; null before the first compaction. */
  summary: z
    .object({
      text: z.string(),
      replaced: z.number(),
      tokens: z.number(),
      at: z.string(),
      /** The last replaced message that the transcript still shows; null if unknown. */
      lastMessageId: z.string().nullable(),
    })
    .nullable(),
  /** Whether the viewer may read `prompt` and `request`. */
  showsPrompt: z.boolean(),
  prompt: z.string().optional(),
  request: NextRequestText.optional(),
  estimated: Estimated,
});
export type ThreadContext = z.infer<typeof ThreadContext>;

/** A thread of an agent, by how much of the window its conversation takes. Only its owner gets title and link. */
export const ThreadFill = z.object({
  threadId: z.string(),
  title: z.string().nullable(),
  isOwn: z.boolean(),
  ownerName: z.string(),
  /** Of its latest run. */
  traceId: z.string().nullable(),
  conversation: z.number(),
  messages: z.number(),
  compactions: z.number(),
  updatedAt: z.string(),
  estimated: Estimated,
});
export type ThreadFill = z.infer<typeof ThreadFill>;

/** POST `/api/agents/{id}/preview-context`: a config's window and rules, and the agent's latest threads. */
export const ContextPreview = z.object({
  window: z.number(),
  windowFrom: WindowSource,
  rules: z.array(ContextRule),
  threads: z.array(ThreadFill),
});
export type ContextPreview = z.infer<typeof ContextPreview>;
