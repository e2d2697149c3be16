import "server-only";
import { cookies } from "next/headers";
import type { AgentInfo } from "@/lib/schema/agents/agent-info";
import { KEPT_PREFIX } from "@/lib/schema/kept-state";
import type { ProviderList } from "@/lib/schema/provider";
import type { Viewer } from "@/lib/schema/users/user";
import { listAgentInfos } from "@/lib/server/agents/describe-agent";
import { listProviders } from "@/lib/server/providers/models";

/** How long a page waits for what it can also request itself: a provider may be slow to list its models. */
const WAIT_MS = 150;

export interface ChatChoices {
  readonly agents: AgentInfo[];
  readonly providers: ProviderList;
}

/**
 * The agents to talk to, drawn with the page so that its composer does not move a moment later. Null when that takes
 * too long or fails: the page then asks itself, and says what is wrong.
 */
export async function readChatChoices(viewer: Viewer): Promise<ChatChoices | null> {
  const { promise: tooLate, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, WAIT_MS, null);
  const choices = Promise.all([listAgentInfos(viewer), listProviders()]).then(
    ([agents, providers]) => ({ agents, providers }),
    () => null,
  );
  return Promise.race([choices, tooLate]).finally(() => clearTimeout(timer));
}

/** The numbers of the layout that the browser keeps, by name. */
export async function readKeptState(): Promise<Record<string, number>> {
  const kept = (await cookies()).getAll().filter(({ name }) => name.startsWith(KEPT_PREFIX));
  const numbers = kept.map(({ name, value }) => [name.slice(KEPT_PREFIX.length), Number(value)] as const);
  return Object.fromEntries(numbers.filter(([, value]) => Number.isFinite(value)));
}
