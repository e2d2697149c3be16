import type { ModelSpec } from "@/lib/schema/agents/agent-config";
import { AppError } from "@/lib/schema/app-error";
import type { DialectChoice } from "@/lib/schema/dialect";
import { visibleAddress } from "./failures/redact";
import {
  type ConfiguredProvider,
  PROVIDER_IDS,
  PROVIDER_TRAITS,
  type ProviderId,
  type Providers,
  type RemoteProviderId,
  settingsOf,
} from "./provider-settings";

/** A model with everything needed to call it. */
export interface ResolvedSpec {
  /** The kind of provider, which determines how it is called. */
  readonly kind: ProviderId;
  /** The provider's id. */
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** The source of the key, for messages. */
  readonly keySource: string;
  /** How its server differs from others. */
  readonly dialect: DialectChoice;
}

/** A model called over the network. */
export type RemoteSpec = ResolvedSpec & { readonly kind: RemoteProviderId };

/** A model and the provider that serves it. */
export type NamedModel = Exclude<ModelSpec, string>;

/** The behaviour if a provider is not configured: the run fails, or the first configured one is called. */
export type OnMissingProvider = "fail" | "first";

/**
 * Finds the provider for a model. A bare name means the provider known for that model, otherwise the first configured
 * one (D-74). With `first`, the first provider also replaces one that is not configured (D-75). Throws AppError if no
 * provider can be called.
 */
export function nameModel(providers: Providers, spec: ModelSpec, onMissing: OnMissingProvider): NamedModel {
  const named = typeof spec === "string" ? splitName(providers, spec) : spec;
  if (onMissing === "fail" || !isMissing(providers, named)) return named;
  const first = firstProvider(providers);
  return first === null ? named : { provider: first, model: named.model };
}

function isMissing({ byId }: Providers, { provider, base_url: own }: NamedModel): boolean {
  return provider !== "demo" && own === undefined && !byId.has(provider);
}

/** The provider chosen by an administrator, otherwise the first in order. */
function firstProvider({ list, byId, ownDefault }: Providers): string | null {
  const chosen = byId.get(ownDefault?.split(":", 1)[0] ?? "");
  return (chosen ?? list[0])?.id ?? null;
}

/** Prefixes of each vendor's model names. */
const KNOWN_BY: readonly (readonly [RegExp, RemoteProviderId])[] = [
  [/^claude-/, "anthropic"],
  [/^(gpt-|chatgpt-|o\d)/, "openai"],
  [/^gemini-/, "google"],
];

/** Anthropic's short names; each means the current model of its class. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  haiku: "anthropic:claude-haiku-4-5",
  sonnet: "anthropic:claude-sonnet-5-5",
  opus: "anthropic:claude-opus-5-5",
};

/** The provider that a bare model name implies; null if the name does not belong to a known vendor. */
export function knownProviderOf(model: string): string | null {
  const whole = SHORT_NAMES[model];
  if (whole !== undefined) return whole.slice(0, whole.indexOf(":"));
  return KNOWN_BY.find(([pattern]) => pattern.test(model))?.[1] ?? null;
}

/**
 * Finds the address and key of a model. A custom address never receives the key from the environment, so editing an
 * agent cannot send that key elsewhere. Throws AppError naming the variable to set.
 */
export function readModelSpec(providers: Providers, fields: NamedModel): ResolvedSpec {
  const { provider: id, model } = fields;
  if (id === "demo") return readDemo(model);
  const connection = providers.byId.get(id);
  const kind = connection?.kind ?? knownKind(providers, id);
  const { base_url: own } = fields;
  const facts = PROVIDER_TRAITS[kind];
  const baseUrl = own ?? connection?.baseUrl ?? facts.ownBaseUrl;
  if (baseUrl === null) throw notConfigured(kind);
  if (!isHttpAddress(baseUrl)) throw notOfTheWeb(baseUrl);
  if (own === undefined) refuseUnusable(providers, id, model);
  const configured = { apiKey: connection?.apiKey ?? null, keySource: connection?.keySource ?? facts.keyVariable };
  const key = keyOf(providers, fields, baseUrl) ?? (own === undefined ? configured : { ...configured, apiKey: null });
  if (facts.needsKey && key.apiKey === null) throw own === undefined ? notConfigured(kind) : keyNeeded(id);
  // An address of the agent's own is another server.
  const dialect = own === undefined ? (connection?.dialect ?? "auto") : "auto";
  return { kind, provider: id, model, baseUrl, dialect, ...key };
}

type Key = Pick<ResolvedSpec, "apiKey" | "keySource">;

/** Why the key that `api_key_ref` names can never be sent, whatever else the model lacks; null if it can be. */
export function keyProblemOf(providers: Providers, spec: ModelSpec): string | null {
  if (typeof spec === "string" || spec.api_key_ref === undefined) return null;
  const owner = providers.byId.get(spec.api_key_ref);
  // A key that this server has and can't read at the moment is one it may read again.
  if (owner && owner.problem !== null) return null;
  if (!owner || owner.apiKey === null) return keyProblem(providers, spec.api_key_ref);
  const baseUrl = spec.base_url ?? addressOf(providers.byId.get(spec.provider));
  if (baseUrl === null || isAtHome(owner, baseUrl)) return null;
  return otherOrigin(spec.api_key_ref, addressOf(owner)).message;
}

/** The key that `api_key_ref` names: that of another provider, which goes only to the origin it was entered for. */
function keyOf(providers: Providers, { api_key_ref: reference }: NamedModel, baseUrl: string): Key | null {
  if (reference === undefined) return null;
  const owner = providers.byId.get(reference);
  if (!owner || owner.apiKey === null)
    throw new AppError("not_available", `api_key_ref ${keyProblem(providers, reference)}`);
  if (!isAtHome(owner, baseUrl)) throw otherOrigin(reference, addressOf(owner));
  return { apiKey: owner.apiKey, keySource: owner.keySource };
}

function addressOf(provider: ConfiguredProvider | undefined): string | null {
  return provider ? (provider.baseUrl ?? PROVIDER_TRAITS[provider.kind].ownBaseUrl) : null;
}

function isAtHome(owner: ConfiguredProvider, baseUrl: string): boolean {
  return URL.parse(addressOf(owner) ?? "")?.origin === URL.parse(baseUrl)?.origin;
}

function refuseUnusable(providers: Providers, id: string, model: string): void {
  const problem = providers.byId.get(id)?.problem ?? null;
  if (problem !== null) throw new AppError("not_available", problem);
  if (settingsOf(providers, id, model)?.enabled !== false) return;
  throw new AppError(
    "not_available",
    `The model ${id}:${model} is switched off. Switch it on under Admin, Models, or choose another model.`,
  );
}

/** True only for HTTP addresses: `file:` and other schemes could reach this machine's own data. */
export function isHttpAddress(address: string): boolean {
  return /^https?:$/.test(URL.parse(address)?.protocol ?? "");
}

function splitName(providers: Providers, name: string): NamedModel {
  const whole = SHORT_NAMES[name] ?? name;
  const colon = whole.indexOf(":");
  if (colon === 0 || colon === whole.length - 1) {
    throw new AppError("invalid_input", `The model "${name}" must look like "provider:model".`);
  }
  if (colon > 0) return { provider: whole.slice(0, colon), model: whole.slice(colon + 1) };
  const provider = ofVendor(providers, knownProviderOf(whole)) ?? firstProvider(providers);
  if (provider !== null) return { provider, model: whole };
  throw new AppError(
    "not_available",
    `No provider is configured to ask for "${name}". Set OPENAI_API_KEY, ANTHROPIC_API_KEY or another provider's variable and restart, add one under Admin, Models, or choose another model.`,
  );
}

/** The vendor's provider, otherwise one of the vendor's kind. */
function ofVendor({ byId, list }: Providers, vendor: string | null): string | null {
  if (vendor === null || byId.has(vendor)) return vendor;
  return list.find(({ kind }) => kind === vendor)?.id ?? vendor;
}

function knownKind({ list }: Providers, id: string): RemoteProviderId {
  const known = PROVIDER_IDS.find((provider) => provider === id);
  if (known && known !== "demo") return known;
  const others = list.map((provider) => provider.id).filter((name) => name !== "scripted");
  const names = [...new Set([...PROVIDER_IDS.filter((provider) => provider !== "scripted"), ...others])].join(", ");
  throw new AppError(
    "invalid_input",
    `Unknown provider "${id}". Known providers: ${names}. Another one can be added under Admin, Models.`,
  );
}

function readDemo(model: string): ResolvedSpec {
  if (model !== "demo") {
    throw new AppError("invalid_input", `The demo provider has one model, demo:demo; there is no "${model}".`);
  }
  return { kind: "demo", provider: "demo", model, baseUrl: "", dialect: "auto", apiKey: null, keySource: "" };
}

function keyProblem({ list }: Providers, reference: string): string {
  const ids = list.filter(({ apiKey, id }) => apiKey !== null && id !== "scripted").map(({ id }) => id);
  const known = ids.length === 0 ? "None has one yet." : `Those with one: ${ids.join(", ")}.`;
  return `must be the id of a provider with a key, and "${reference}" is none. ${known} Another can be added under Admin, Models.`;
}

function otherOrigin(reference: string, home: string | null): AppError {
  return new AppError(
    "not_available",
    `The key of "${reference}" (api_key_ref) goes only to ${URL.parse(home ?? "")?.origin ?? "its own address"}, for which it was entered. For base_url add a provider of its own under Admin, Models.`,
  );
}

function notConfigured(provider: RemoteProviderId): AppError {
  const { variable } = PROVIDER_TRAITS[provider];
  return new AppError(
    "not_available",
    `The provider ${provider} is not configured. Set ${variable} and restart, add it under Admin, Models, or choose another model.`,
  );
}

function keyNeeded(provider: string): AppError {
  return new AppError("not_available", `The provider ${provider} needs api_key_ref as well as base_url.`);
}

function notOfTheWeb(address: string): AppError {
  const message = `base_url must be an http:// or https:// address, not ${visibleAddress(address)}. Correct the agent's model.`;
  return new AppError("invalid_input", message);
}
