import { z } from "zod";
import type { Handler } from "@/lib/agent/compose";
import type { Guard } from "@/lib/agent/hooks/guard";
import type { RunOutcome } from "@/lib/agent/hooks/hook";
import type { ModelRequest } from "@/lib/agent/model";
import type { RunContext } from "@/lib/agent/run-context";
import type { ToolOutcome } from "@/lib/agent/tools/tool";
import type { ToolCall } from "@/lib/schema/messages/message";
import type { ModelReply } from "@/lib/schema/runs/run-event";
import { checkDefinition, type JsonSchema, toJsonSchema } from "./check-definition";
import type { ToolExtension } from "./define-tool";

/**
 * The phases of a hook, without its name; each is optional. They run in the order of the agent's `hooks`, the first
 * outermost. `guard` is what `guardHook` returns.
 */
export interface HookPhases {
  /** Tools added to every agent with this hook; they replace the agent's own of the same name. */
  readonly tools?: readonly ToolExtension[];
  /**
   * Runs at the start of every segment, so it must be repeatable; also, with `segment` 1 and without a run, when an
   * agent's tools are listed. Guard one-time work with `context.segment === 0`. A throw fails the run.
   */
  beforeAgent?(context: RunContext): void | Promise<void>;
  /** Runs before every model call and returns the request to send. A throw fails the run. */
  modifyRequest?(request: ModelRequest, context: RunContext): ModelRequest | Promise<ModelRequest>;
  /** Wraps every model call. Skip `next` to answer in the model's place; call it again to retry. */
  wrapModelCall?(
    request: ModelRequest,
    next: Handler<ModelRequest, ModelReply>,
    context: RunContext,
  ): ModelReply | Promise<ModelReply>;
  /** Wraps every tool call; the calls of one reply run at the same time. A throw becomes the tool's error result. */
  wrapToolCall?(
    call: ToolCall,
    next: Handler<ToolCall, ToolOutcome>,
    context: RunContext,
  ): ToolOutcome | Promise<ToolOutcome>;
  /** Runs once when the run has ended, whatever its status. A throw is logged; the answer is kept. */
  afterAgent?(outcome: RunOutcome, context: RunContext): void | Promise<void>;
  readonly guard?: Guard;
}

/** The parsed config of a hook, or what is wrong with it. Plain data, because it crosses into the server. */
type ParsedConfig =
  | { readonly ok: true; readonly config: unknown }
  | { readonly ok: false; readonly issues: readonly z.core.$ZodIssue[] };

/** A hook that agents can name in `hooks`. */
export interface HookExtension {
  readonly kind: "hook";
  readonly name: string;
  readonly description: string;
  readonly configSchema: JsonSchema;
  parseConfig(value: unknown): ParsedConfig;
  create(config: unknown): HookPhases;
}

const NO_CONFIG = z.strictObject({});

/**
 * Defines a hook. `config` is the schema of its settings in an agent; `create` gets the validated config and is called
 * for every segment of a run, so state in its closure belongs to that segment.
 */
export function defineHook<Config extends z.ZodType = typeof NO_CONFIG>(definition: {
  readonly name: string;
  readonly description?: string;
  readonly config?: Config;
  readonly create: (config: z.output<Config>) => HookPhases;
}): HookExtension {
  const { name, description = "", create } = definition;
  checkDefinition("defineHook", name, { create });
  const schema = refuseUnknownFields(definition.config ?? NO_CONFIG);
  return {
    kind: "hook",
    name,
    description,
    configSchema: toJsonSchema("defineHook", name, schema),
    parseConfig(value) {
      const parsed = schema.safeParse(value);
      return parsed.success ? { ok: true, config: parsed.data } : { ok: false, issues: parsed.error.issues };
    },
    create: (config) => create(config as z.output<Config>),
  };
}

/** Turns S2's pre and post hooks into the phases of a hook. */
export function guardHook(guard: Guard): HookPhases {
  return { guard };
}

/** Rejects unknown fields, which are likely mistakes by the agent's author. */
function refuseUnknownFields(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodObject && schema.def.catchall === undefined ? schema.strict() : schema;
}
