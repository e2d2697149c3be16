import type { RawConfig } from "@/lib/schema/agents/agent-api";

/** What a new agent can do, a few switches at a time; each stands for one or several fields of its config. */
export const TOOL_SWITCHES = ["files", "execute", "web_search", "web_fetch", "memory", "schedule", "delegate"] as const;
export type ToolSwitch = (typeof TOOL_SWITCHES)[number];

/** The agent that delegation offers on a fresh installation. */
export const FIRST_DELEGATE = "researcher";

const WEB: ReadonlySet<string> = new Set(["web_search", "web_fetch"]);

/** Whether a config has what the switch stands for. */
export function isSwitchedOn(config: RawConfig, name: ToolSwitch): boolean {
  switch (name) {
    case "files":
      return isFields(config.backend);
    case "execute":
      return isFields(config.backend) && config.backend.type === "local";
    case "memory":
      return isFields(config.memory) && listOf(config.memory.paths).length > 0;
    case "delegate":
      return listOf(config.delegates).length > 0;
    default:
      return allowedTools(config).includes(name);
  }
}

/** Whether a person is asked before each call of the switch's tool. */
export function asksFirst(config: RawConfig, name: ToolSwitch): boolean {
  const { permissions } = config;
  return isFields(permissions) && permissions.enabled === true && listOf(permissions.ask).includes(name);
}

/**
 * The config with the switch on or off. Commands ask before each call and come with files, as memory does; files take
 * both with them when they go.
 */
export function withSwitch(config: RawConfig, name: ToolSwitch, isOn: boolean): RawConfig {
  if (isSwitchedOn(config, name) === isOn) return config;
  switch (name) {
    case "files":
      return isOn ? { ...config, backend: { type: "state" } } : without(withSwitch(config, "memory", false), "backend");
    case "execute":
      return isOn ? asking({ ...config, backend: { type: "local" } }) : { ...config, backend: { type: "state" } };
    case "memory":
      return isOn
        ? { ...withSwitch(config, "files", true), memory: { paths: ["AGENTS.md"] }, memory_flush: { always: true } }
        : without(config, "memory", "memory_flush");
    case "delegate":
      return isOn ? { ...config, delegates: [FIRST_DELEGATE] } : without(config, "delegates");
    default:
      return isOn ? withTool(config, name) : withoutTool(config, name);
  }
}

/**
 * The config with another purpose: it is the description, and where the prompt begins with the old one, or was changed
 * from a template's, the first lines of the prompt.
 */
export function withPurpose(config: RawConfig, purpose: string): RawConfig {
  const before = typeof config.description === "string" ? config.description : "";
  if (before === purpose) return config;
  const prompt = typeof config.system_prompt === "string" ? config.system_prompt : "";
  const rest = before !== "" && prompt.startsWith(before) ? prompt.slice(before.length).trimStart() : prompt;
  const parts = [purpose.trim(), rest].filter((part) => part !== "");
  return { ...config, description: purpose, system_prompt: parts.join("\n\n") };
}

function asking(config: RawConfig): RawConfig {
  const permissions = isFields(config.permissions) ? config.permissions : {};
  const ask = listOf(permissions.ask);
  return {
    ...config,
    permissions: {
      ...permissions,
      enabled: true,
      mode: permissions.mode ?? "accept_edits",
      ask: ask.includes("execute") ? ask : [...ask, "execute"],
    },
  };
}

/** Pages and searches that a person or a search named are allowed; others ask. */
function withTool(config: RawConfig, name: string): RawConfig {
  const added = { ...config, tools: withAllowed(config.tools, [...allowedTools(config), name]) };
  if (!WEB.has(name)) return added;
  const permissions = isFields(config.permissions) ? config.permissions : {};
  const others = listOf(permissions.allow).filter((rule) => !isKnownRule(rule, name));
  const allow = [...others, { tool: name, addresses: "known" }];
  return {
    ...added,
    permissions: { ...permissions, enabled: true, mode: permissions.mode ?? "accept_edits", allow },
  };
}

function withoutTool(config: RawConfig, name: string): RawConfig {
  const tools = withAllowed(
    config.tools,
    allowedTools(config).filter((tool) => tool !== name),
  );
  const { permissions } = config;
  if (!isFields(permissions) || !Array.isArray(permissions.allow)) return { ...config, tools };
  const { allow: _, ...others } = permissions;
  const allow = listOf(permissions.allow).filter((rule) => !isKnownRule(rule, name));
  return { ...config, tools, permissions: allow.length === 0 ? others : { ...others, allow } };
}

function isKnownRule(rule: unknown, tool: string): boolean {
  return isFields(rule) && rule.tool === tool && rule.addresses === "known";
}

/** The tools that are named one by one, in either form of the field. */
function allowedTools({ tools }: RawConfig): readonly unknown[] {
  return isFields(tools) ? listOf(tools.allow) : listOf(tools);
}

function withAllowed(tools: unknown, allow: readonly unknown[]): unknown {
  return isFields(tools) ? { ...tools, allow } : allow;
}

function without(config: RawConfig, ...names: readonly string[]): RawConfig {
  return Object.fromEntries(Object.entries(config).filter(([name]) => !names.includes(name)));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isFields(value: unknown): value is RawConfig {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
