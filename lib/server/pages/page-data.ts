import "server-only";
import { cookies } from "next/headers";
import type { AgentInfo } from "@/lib/schema/agents/agent-info";
import { KEPT_PREFIX } from "@/lib/schema/kept-state";
import { ProjectList, ProjectQuery } from "@/lib/schema/projects/project";
import type { ProviderList } from "@/lib/schema/provider";
import { ApprovalList, ApprovalQuery } from "@/lib/schema/runs/interrupt";
import { ThreadList } from "@/lib/schema/threads/thread";
import { ThreadQuery } from "@/lib/schema/threads/thread-requests";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { listAgentInfos } from "@/lib/server/agents/describe-agent";
import { listApprovals } from "@/lib/server/inbox/list-approvals";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { listProviders } from "@/lib/server/providers/list-providers";
import { listThreads } from "@/lib/server/threads/list/list-threads";
import { listProjects } from "@/lib/server/threads/projects/projects";

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
export async function readChatChoices(services: Services, viewer: Viewer): Promise<ChatChoices | null> {
  const [agents, providers] = await Promise.all([
    inTime(
      listAgentInfos(services, viewer).catch(() => null),
      AGENTS_WAIT_MS,
    ),
    inTime(
      listProviders(services, viewer).catch(() => null),
      PROVIDERS_WAIT_MS,
    ),
  ]);
  return agents === null ? null : { agents, providers };
}

/** Lists beside every chat page; one that did not arrive in time is null, and the page requests it itself. */
export interface ChatLists {
  readonly threads: ThreadList | null;
  readonly approvals: ApprovalList | null;
  readonly projects: ProjectList | null;
}

/** The first page of each list as the browser would request it, so that the page opens with them. */
export async function readChatLists(database: Database, viewer: Viewer): Promise<ChatLists> {
  const asked = { ...viewer, isAdmin: hasAdminScope(viewer) };
  const [threads, approvals, projects] = await Promise.all([
    soon(listThreads(database, viewer, ThreadQuery.parse({})).then((list) => ThreadList.parse(list))),
    soon(
      listApprovals(database, asked, ApprovalQuery.parse({ limit: "200" })).then((list) => ApprovalList.parse(list)),
    ),
    soon(listProjects(database, viewer, ProjectQuery.parse({ limit: "200" })).then((list) => ProjectList.parse(list))),
  ]);
  return { threads, approvals, projects };
}

const LISTS_WAIT_MS = 150;

/** Null if it fails: the page's own request then tells why. */
function soon<Value>(work: Promise<Value>): Promise<Value | null> {
  return inTime<Value | null>(
    work.catch(() => null),
    LISTS_WAIT_MS,
  );
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
