import "server-only";
import { cookies } from "next/headers";
import type { AgentInfo } from "@/lib/schema/agents/agent-info";
import { KEPT_PREFIX } from "@/lib/schema/kept-state";
import type { ProviderList } from "@/lib/schema/provider";
import type { Viewer } from "@/lib/schema/users/user";
import { listAgentInfos } from "@/lib/server/agents/describe-agent";
import { listProviders } from "@/lib/server/providers/list-providers";

/** How long a page waits for what it can also request itself: a provider may be slow to list its models. */
const PROVIDERS_WAIT_MS = 150;
/** Longer: without them there is no start page to speak of. */
const AGENTS_WAIT_MS = 1_000;

export interface ChatChoices {
  readonly agents: AgentInfo[];
  /** Null when they did not come in time. */
  readonly providers: ProviderList | null;
}

/**
 * The agents to talk to, drawn with the page so that nothing on it moves a moment later, and the providers where they
 * answer in time. Null when that fails: the page then asks itself, and says what is wrong.
 */
export async function readChatChoices(viewer: Viewer): Promise<ChatChoices | null> {
  const [agents, providers] = await Promise.all([
    inTime(
      listAgentInfos(viewer).catch(() => null),
      AGENTS_WAIT_MS,
    ),
    inTime(
      listProviders(viewer).catch(() => null),
      PROVIDERS_WAIT_MS,
    ),
  ]);
  return agents === null ? null : { agents, providers };
}

async function inTime<Value>(work: Promise<Value>, waitMs: number): Promise<Value | null> {
  const { promise: tooLate, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, waitMs, null);
  return Promise.race([work, tooLate]).finally(() => clearTimeout(timer));
}

/** The numbers of the layout that the browser keeps, by name. */
export async function readKeptState(): Promise<Record<string, number>> {
  const kept = (await cookies()).getAll().filter(({ name }) => name.startsWith(KEPT_PREFIX));
  const numbers = kept.map(({ name, value }) => [name.slice(KEPT_PREFIX.length), Number(value)] as const);
  return Object.fromEntries(numbers.filter(([, value]) => Number.isFinite(value)));
}
