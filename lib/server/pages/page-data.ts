import "server-only";
import { cookies } from "next/headers";
import type { AgentInfo } from "@/lib/schema/agents/agent-info";
import { KEPT_PREFIX } from "@/lib/schema/kept-state";
import type { ProviderList } from "@/lib/schema/provider";
import type { Viewer } from "@/lib/schema/users/user";
import { listAgentInfos } from "@/lib/server/agents/describe-agent";
import { listProviders } from "@/lib/server/providers/list-providers";

/**
 * How long rendering a page waits for data that the page can also request itself: a provider may be slow to list its
 * models.
 */
const PROVIDERS_WAIT_MS = 150;
/** Longer because the start page is pointless without agents. */
const AGENTS_WAIT_MS = 1_000;

export interface ChatChoices {
  readonly agents: AgentInfo[];
  /** Null if they did not arrive in time. */
  readonly providers: ProviderList | null;
}

/**
 * The agents to talk to, rendered with the page so that nothing on it moves later, and the providers if they answer in
 * time. Null if that fails: the page then requests them itself and reports the problem.
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

/** The layout numbers stored in the browser, by name. */
export async function readKeptState(): Promise<Record<string, number>> {
  const kept = (await cookies()).getAll().filter(({ name }) => name.startsWith(KEPT_PREFIX));
  const numbers = kept.map(({ name, value }) => [name.slice(KEPT_PREFIX.length), Number(value)] as const);
  return Object.fromEntries(numbers.filter(([, value]) => Number.isFinite(value)));
}
