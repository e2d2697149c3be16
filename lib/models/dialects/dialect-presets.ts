import type { DialectId, TraitOverrides, Traits } from "@/lib/schema/dialect";

const STANDARD: Traits = {
  roles: "free",
  toolThenUser: true,
  ids: "free",
  emptyText: "null",
  systemRole: "system",
  maxTokensField: "max_tokens",
  schemas: "openai",
  reasoningBack: "in_turn",
  callsInText: false,
  thoughtsInText: true,
};

/** What a server wants in place of something that another model wrote, or that was lost. */
export interface DialectNeeds {
  /** Every turn of the model needs reasoning, if only an empty one, while reasoning goes back. */
  readonly needsReasoning?: true;
  /** The first call of a turn needs a thought signature; this one skips the check. */
  readonly signature?: string;
}

interface Dialect extends DialectNeeds {
  readonly differs: TraitOverrides;
  /** Hosts and their subdomains, or ports of this machine, by which it is guessed. */
  readonly hosts?: readonly string[];
  readonly ports?: readonly number[];
}

/** In the order in which people choose. */
const DIALECTS: Readonly<Record<DialectId, Dialect>> = {
  standard: { differs: {} },
  local: { differs: { reasoningBack: "in_turn" } },
  vllm: { differs: {}, ports: [8000] },
  "llama.cpp": { differs: { schemas: "plain" }, ports: [8080] },
  ollama: { differs: { emptyText: "empty" }, ports: [11434], hosts: ["ollama.com"] },
  "lm-studio": { differs: { emptyText: "empty" }, ports: [1234] },
  openai: {
    differs: { ids: "forty", maxTokensField: "max_completion_tokens", reasoningBack: "never", thoughtsInText: false },
    hosts: ["api.openai.com"],
  },
  azure: {
    differs: { ids: "forty", maxTokensField: "max_completion_tokens", reasoningBack: "never", thoughtsInText: false },
    hosts: ["openai.azure.com", "services.ai.azure.com", "cognitiveservices.azure.com"],
  },
  openrouter: { differs: { reasoningBack: "always" }, hosts: ["openrouter.ai"] },
  mistral: {
    differs: { ids: "nine", toolThenUser: false, emptyText: "empty", reasoningBack: "never" },
    hosts: ["mistral.ai"],
  },
  deepseek: {
    differs: { emptyText: "empty", reasoningBack: "always" },
    hosts: ["deepseek.com"],
    needsReasoning: true,
  },
  moonshot: {
    differs: { emptyText: "empty", schemas: "typed", reasoningBack: "always" },
    hosts: ["moonshot.ai", "moonshot.cn"],
    needsReasoning: true,
  },
  groq: { differs: { reasoningBack: "never" }, hosts: ["groq.com"] },
  together: { differs: { reasoningBack: "never" }, hosts: ["together.xyz", "together.ai"] },
  gemini: {
    differs: { schemas: "google", reasoningBack: "never", thoughtsInText: false },
    hosts: ["googleapis.com"],
    signature: "skip_thought_signature_validator",
  },
};

/** Whether a kind of provider is of many makes of servers that all call themselves compatible. */
export function hasDialects(kind: string): boolean {
  return kind === "openai-compatible" || kind === "ollama";
}

export interface ResolvedDialect extends DialectNeeds {
  readonly id: DialectId;
  readonly traits: Traits;
}

export function presetOf(id: DialectId): ResolvedDialect {
  const { differs, needsReasoning, signature } = DIALECTS[id];
  return { id, traits: { ...STANDARD, ...differs }, needsReasoning, signature };
}

/** The dialect that an address suggests. */
export function guessDialect(kind: string, baseUrl: string): DialectId {
  if (kind === "ollama") return "ollama";
  const url = URL.parse(baseUrl);
  if (url === null) return "standard";
  const { hostname } = url;
  const ids = Object.keys(DIALECTS) as DialectId[];
  const byHost = ids.find((id) => DIALECTS[id].hosts?.some((host) => isWithin(hostname, host)));
  if (byHost !== undefined) return byHost;
  if (!isNear(hostname)) return "standard";
  return ids.find((id) => DIALECTS[id].ports?.includes(Number(url.port))) ?? "local";
}

function isWithin(hostname: string, host: string): boolean {
  return hostname === host || hostname.endsWith(`.${host}`);
}

/** This machine, a private network, or a name without a domain, as containers have. */
function isNear(hostname: string): boolean {
  return (
    !hostname.includes(".") ||
    /^(?:127|10)\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|\.(?:local|internal|lan)$/.test(hostname)
  );
}
