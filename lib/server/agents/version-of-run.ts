import picomatch from "picomatch";
import { knownProviderOf } from "@/lib/models/model-spec";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { modelName } from "@/lib/schema/agents/agent-config";
import { AppError } from "@/lib/schema/app-error";
import type { AgentVersion } from "@/lib/server/engine/agent-version";
import { triggerRulesOf } from "@/lib/server/engine/run-input";
import { builtinToolInfos } from "@/lib/tools/builtin-tools";

interface VersionedRun {
  readonly parentRunId: string | null;
  readonly subagentName: string | null;
  readonly isInline: boolean;
  readonly originDetails: string | null;
  readonly origin: string;
  readonly input: string;
}

/**
 * The config that a run uses: its version's own, or a subagent's. A subagent never gets the full prompt; a delegated
 * run keeps its agent's own. Neither compacts its thread, which no other run uses, nor does a run without history. An
 * inline definition shares everything else with the agent that contains it.
 */
export function versionOfRun(run: VersionedRun, version: AgentVersion): AgentVersion {
  if (run.parentRunId === null) {
    const kept = run.input.includes('"noHistory":true') ? withoutCompaction(version) : version;
    return run.originDetails === null ? kept : withShortPrompt(withFewSteps(kept, run));
  }
  const config = run.isInline ? inlineConfig(version.config, run.subagentName ?? "") : version.config;
  const { prompt } = config;
  const isShort = prompt.mode === "full" && run.origin !== "delegation";
  const mode = isShort ? "minimal" : prompt.mode;
  return withoutCompaction({ ...version, config: { ...config, prompt: { ...prompt, mode } } });
}

/** Messages the model did not read are neither summarized nor kept as memory. */
function withoutCompaction(version: AgentVersion): AgentVersion {
  const { compaction, memory_flush: memoryFlush } = version.config;
  const off = {
    compaction: { ...compaction, enabled: false },
    memory_flush: { ...memoryFlush, enabled: false },
  };
  return { ...version, config: { ...version.config, ...off } };
}

/** A run started by a trigger gets no full prompt because nobody is there to talk to. */
function withShortPrompt(version: AgentVersion): AgentVersion {
  const { prompt } = version.config;
  return prompt.mode === "full"
    ? { ...version, config: { ...version.config, prompt: { ...prompt, mode: "minimal" } } }
    : version;
}

/** A heartbeat sets the maximum number of steps of a beat. */
function withFewSteps(version: AgentVersion, run: VersionedRun): AgentVersion {
  const maxSteps = run.origin === "heartbeat" ? triggerRulesOf(run)?.maxSteps : undefined;
  return maxSteps === undefined ? version : { ...version, config: { ...version.config, max_iterations: maxSteps } };
}

function inlineConfig(config: AgentConfig, name: string): AgentConfig {
  const definition = config.subagents.find((entry) => typeof entry !== "string" && entry.name === name);
  if (!definition || typeof definition === "string") throw new AppError("not_found", `There is no subagent "${name}".`);
  const { description, prompt, tools, model } = definition;
  return {
    ...config,
    name,
    description,
    system_prompt: prompt,
    subagents: [],
    tools: tools.length === 0 ? config.tools : onlyTools(tools),
    model: model === undefined ? config.model : subagentModel(model, config),
  };
}

/** Exactly these tools (names, aliases or globs), including those offered by hooks. */
function onlyTools(listed: readonly string[]): AgentConfig["tools"] {
  const infos = builtinToolInfos();
  const allow = listed.map((name) => infos.find(({ aliases }) => aliases.includes(name))?.name ?? name);
  const isListed = picomatch(allow);
  return { allow, deny: infos.map(({ name }) => name).filter((name) => !isListed(name)) };
}

/** A definition may name only the model; if the name belongs to no vendor, the parent's provider is used. */
export function subagentModel(model: string, { model: own }: Pick<AgentConfig, "model">): string {
  if (model.includes(":") || knownProviderOf(model) !== null || own === null) return model;
  const [provider, ...rest] = modelName(own).split(":");
  return rest.length === 0 ? model : `${provider}:${model}`;
}
