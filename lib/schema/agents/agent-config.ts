import { z } from "zod";
import { GUARD_MODES } from "@/lib/schema/settings/guard-mode";
import { WEB_SEARCH_PROVIDERS } from "@/lib/schema/settings/web-search";
import { HeartbeatConfig } from "@/lib/schema/triggers/heartbeat-config";
import { ScheduleConfigs } from "@/lib/schema/triggers/schedule-config";
import { BackendConfig } from "./agent-config-backend";
import { BudgetConfig } from "./agent-config-budget";
import {
  CompactionConfig,
  EvictionConfig,
  MemoryFlushConfig,
  PruningConfig,
  SummarizationConfig,
} from "./agent-config-context";
import { HookEntry, PermissionsConfig, SubagentEntry, SubagentSettings } from "./agent-config-rules";
import { PromptConfig, SilentRepliesConfig, SkillsConfig } from "./agent-config-texts";
import { AgentId } from "./agent-id";
import { EFFORTS, Effort } from "./choices";

const count = z.number().int().nonnegative();
const milliseconds = z.number().int().min(1).max(86_400_000);

/** Reads such a number as S4 does: 0 or less means the default (D-76). */
const orDefault = (fallback: number, max: number) =>
  z
    .number()
    .int()
    .max(max)
    .describe("0 or less means the default.")
    .default(fallback)
    .transform((given) => (given > 0 ? given : fallback));

/**
 * `"provider:model"`, or the object form when a custom base URL or key is needed. A bare model name means the provider
 * known for that model, otherwise the first configured one (D-74).
 */
export const ModelSpec = z.union([
  z.string().regex(/^[^:\s]+(:\S+)?$/, 'must look like "provider:model", or be the name of a model'),
  z.strictObject({
    provider: z.string().min(1),
    model: z.string().min(1),
    base_url: z.url().optional(),
    api_key_ref: z.string().min(1).optional(),
  }),
]);
export type ModelSpec = z.infer<typeof ModelSpec>;

const ToolSelection = z.union([
  z.array(z.string().min(1)),
  z.strictObject({ allow: z.array(z.string().min(1)).default([]), deny: z.array(z.string().min(1)).default([]) }),
]);

const MemoryConfig = z.strictObject({
  paths: z.array(z.string().min(1)).default([]),
  daily_notes_days: count.max(366).default(3),
  recall: z.strictObject({ enabled: z.boolean().default(false), top: count.max(50).default(5) }).prefault({}),
});

/** The contents of a trace (D-25). `verbose: null` means RINGMASTER_TRACE_VERBOSE. */
const TraceConfig = z.strictObject({
  verbose: z.boolean().nullable().default(null),
  sample: z.number().min(0).max(1).default(1),
  show_prompt: z
    .enum(["admins", "everyone"])
    .describe("Who reads the texts of the system prompt in a trace; others see names and tokens.")
    .default("admins"),
  preview_chars: count.max(10_000).describe("Characters of an output that a span shows.").default(500),
  max_body_chars: count
    .max(1_000_000)
    .describe("Characters of a tool's arguments, and of a verbose input, that a span holds.")
    .default(50_000),
});

const size = z.number().int().min(1);

/** Limits of one model reply; beyond them the stream is closed and the run fails with the limit's name. */
const ReplyLimits = z.strictObject({
  text_bytes: size.max(16_000_000).describe("Text and reasoning together.").default(4_000_000),
  arguments_bytes: size.max(16_000_000).describe("Arguments of all its tool calls.").default(8_000_000),
  calls: size.max(10_000).describe("Tool calls.").default(256),
});

const WebConfig = z.strictObject({
  search: z
    .enum(WEB_SEARCH_PROVIDERS)
    .nullable()
    .describe("Whom web_search asks. null: the first that is set up.")
    .default(null),
  fetch: z
    .strictObject({
      max_bytes: size.max(32_000_000).describe("Bytes of a page that web_fetch reads.").default(5_000_000),
      timeout_ms: milliseconds.default(30_000),
      hosts: z
        .array(z.string().min(1).max(253))
        .max(200)
        .describe("Where pages may be: example.org, or *.example.org. Empty: everywhere.")
        .default([]),
    })
    .prefault({}),
});

/** The choices for one message instead of the agent's own. Each list counts separately; null offers all that are on. */
const ChoicesConfig = z.strictObject({
  models: z
    .array(z.string().regex(/^[^:\s]+(:\S+)?$/, 'must look like "provider:model", or be the name of a model'))
    .max(50)
    .nullable()
    .describe("Models that people may pick for a message. Empty: only the agent's own; null: all that are on.")
    .default([]),
  efforts: z
    .array(Effort)
    .max(EFFORTS.length)
    .nullable()
    .describe("How much the model may be asked to think. Empty: only what its provider does by default; null: any.")
    .default([]),
});

/**
 * The whole configuration of an agent (docs/guide/agent-config.md). Parsing fills in every default, so code that reads
 * a parsed config never chooses its own. `model: null` means RINGMASTER_DEFAULT_MODEL.
 */
export const AgentConfig = z.strictObject({
  name: z.string().min(1).max(120),
  description: z.string().max(2_000).default(""),
  starters: z
    .array(z.string().trim().min(1).max(200))
    .max(6)
    .describe("First messages that the start page offers. Empty: examples that fit the agent's tools.")
    .default([]),
  type: z.enum(["predefined", "open"]).default("predefined"),
  model: ModelSpec.nullable().default(null),
  fallback_models: z.array(ModelSpec).max(10).default([]),
  system_prompt: z.string().max(200_000).default(""),
  max_tokens: z.number().int().min(1).max(1_000_000).default(4_096),
  temperature: z.number().min(0).max(2).nullable().default(null),
  context_window: z
    .number()
    .int()
    .max(100_000_000)
    .nullable()
    .describe("Tokens. null, 0 or less: the model's own window, or 128,000 where that is unknown.")
    .default(null)
    .transform((given) => (given !== null && given > 0 ? given : null)),
  chars_per_token: z.number().gt(0).max(100).default(4),
  streaming: z
    .boolean()
    .describe("False for a provider that cannot stream: one call, and its reply comes in one piece.")
    .default(true),
  max_iterations: orDefault(25, 200),
  on_limit: z.enum(["stop", "final_answer"]).default("stop"),
  default_response: z.string().max(10_000).nullable().default(null),
  max_message_chars: z.number().int().min(1).max(10_000_000).default(32_768),
  on_missing_provider: z
    .enum(["fail", "first"])
    .describe("When a model's provider is not configured: its runs fail, or the first configured provider is used.")
    .default("fail"),
  retries: count.max(20).default(2),
  timeouts: z
    .strictObject({
      model_ms: milliseconds.default(600_000),
      idle_ms: milliseconds.default(120_000),
      run_ms: milliseconds.default(1_800_000),
    })
    .prefault({}),
  reply_limits: ReplyLimits.prefault({}),
  tools: ToolSelection.default([]),
  tool_settings: z
    .strictObject({
      max_parallel: z.number().int().min(1).max(100).default(10),
      timeout_ms: milliseconds.default(120_000),
    })
    .prefault({}),
  web: WebConfig.prefault({}),
  mcp_servers: z.array(z.string().min(1)).default([]),
  subagents: z.array(SubagentEntry).default([]),
  subagent_settings: SubagentSettings.prefault({}),
  delegates: z
    .array(AgentId)
    .max(500)
    .describe("Ids of the agents to which it may hand work, or the conversation.")
    .default([]),
  backend: BackendConfig.nullable().default(null),
  skills: SkillsConfig.prefault({}),
  memory: MemoryConfig.prefault({}),
  hooks: z.array(HookEntry).nullable().default(null),
  guard: z
    .strictObject({
      mode: z
        .enum(["default", ...GUARD_MODES])
        .describe("What happens to a message that reads like an injection; default: what the settings say.")
        .default("default"),
    })
    .prefault({}),
  history: z.strictObject({ limit_turns: z.number().int().min(1).nullable().default(null) }).prefault({}),
  eviction: EvictionConfig.prefault({}),
  pruning: PruningConfig.prefault({}),
  summarization: SummarizationConfig.prefault({}),
  compaction: CompactionConfig.prefault({}),
  memory_flush: MemoryFlushConfig.prefault({}),
  sanitize: z.strictObject({ enabled: z.boolean().default(true) }).prefault({}),
  silent_replies: SilentRepliesConfig.prefault({}),
  loop_guard: z
    .strictObject({
      enabled: z.boolean().default(true),
      warn_at: z.number().int().min(1).default(3),
      stop_at: z.number().int().min(1).default(6),
    })
    .prefault({}),
  permissions: PermissionsConfig.prefault({}),
  prompt: PromptConfig.prefault({}),
  extra_context: z.string().nullable().default(null),
  inject_context: z.string().nullable().default(null),
  threads: z
    .strictObject({ ttl_minutes: count.default(0), on_busy: z.enum(["queue", "reject", "interrupt"]).default("queue") })
    .prefault({}),
  budget: BudgetConfig.prefault({}),
  schedules: ScheduleConfigs.describe(
    "When it starts by itself; each becomes a schedule of the person who publishes it.",
  ).default([]),
  heartbeat: HeartbeatConfig.nullable()
    .describe("What each person gets who lets it look after things by itself; null: nothing to turn on.")
    .default(null),
  choices: ChoicesConfig.nullable()
    .describe(
      "What people may pick for a message instead of the agent's own; null: every model that is on, any effort.",
    )
    .default(null),
  /** The condition for publishing: none, in this version. */
  gate: z.unknown().default(null),
  allow_client_system_messages: z.boolean().default(true),
  trace: TraceConfig.prefault({}),
});
/** A config with every default filled in. */
export type AgentConfig = z.output<typeof AgentConfig>;
/** A config as a person writes it. */
export type AgentConfigInput = z.input<typeof AgentConfig>;

/** For a model whose window is unknown (D-79). */
export const UNKNOWN_WINDOW = 128_000;

/** The window used wherever tokens are counted. A run's config has the number for the models it may call. */
export function contextWindowOf({ context_window: tokens }: Pick<AgentConfig, "context_window">): number {
  return tokens ?? UNKNOWN_WINDOW;
}

/** Either form of a model spec in one line: `provider:model`, or the bare name if no provider is given. */
export function modelName(spec: ModelSpec): string {
  return typeof spec === "string" ? spec : `${spec.provider}:${spec.model}`;
}
