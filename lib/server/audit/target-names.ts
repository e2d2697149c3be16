import "server-only";
import type { Database } from "@/lib/server/platform/db/database";

type Names = ReadonlyMap<string, string>;
interface Named {
  readonly id: string;
  readonly name: string;
}

/** People, keys and things whose ids say nothing to a person, by what a target's prefix calls them. */
const FINDERS: Readonly<Record<string, (database: Database, ids: string[]) => Promise<readonly Named[]>>> = {
  user: (database, ids) => database.user.findMany({ where: { id: { in: ids } }, select: NAME }),
  api_key: (database, ids) => database.apiKey.findMany({ where: { id: { in: ids } }, select: NAME }),
  group: (database, ids) => database.group.findMany({ where: { id: { in: ids } }, select: NAME }),
  project: (database, ids) => database.project.findMany({ where: { id: { in: ids } }, select: NAME }),
  board: (database, ids) => database.board.findMany({ where: { id: { in: ids } }, select: NAME }),
  schedule: (database, ids) => database.trigger.findMany({ where: { id: { in: ids } }, select: NAME }),
  heartbeat: (database, ids) => database.trigger.findMany({ where: { id: { in: ids } }, select: NAME }),
  webhook: (database, ids) => database.webhook.findMany({ where: { id: { in: ids } }, select: NAME }),
  channel: (database, ids) => database.channel.findMany({ where: { id: { in: ids } }, select: NAME }),
  alert: (database, ids) => database.alert.findMany({ where: { id: { in: ids } }, select: NAME }),
  prompt: (database, ids) => database.savedPrompt.findMany({ where: { id: { in: ids } }, select: NAME }),
  thread: async (database, ids) => {
    const threads = await database.thread.findMany({
      where: { id: { in: ids } },
      select: { id: true, title: true },
    });
    return threads.flatMap(({ id, title }) => (title === null ? [] : [{ id, name: title }]));
  },
  run: async (database, ids) => {
    const select = { id: true, agentId: true, thread: { select: { title: true } } } as const;
    const runs = await database.run.findMany({ where: { id: { in: ids } }, select });
    return runs.map(({ id, agentId, thread }) => ({ id, name: thread.title ?? agentId }));
  },
  approval: async (database, ids) => {
    const approvals = await database.approval.findMany({ where: { id: { in: ids } }, select: TOOL });
    return approvals.map(({ id, tool }) => ({ id, name: tool }));
  },
  grant: async (database, ids) => {
    const grants = await database.grant.findMany({ where: { id: { in: ids } }, select: TOOL });
    return grants.map(({ id, tool }) => ({ id, name: tool }));
  },
  channel_link: async (database, ids) => {
    const links = await database.channelLink.findMany({
      where: { id: { in: ids } },
      select: { id: true, senderName: true },
    });
    return links.map(({ id, senderName }) => ({ id, name: senderName }));
  },
  budget: findBudgetNames,
};
const NAME = { id: true, name: true } as const;
const TOOL = { id: true, tool: true } as const;

/** "Ada, per month": whose budget it is and for how long. */
async function findBudgetNames(database: Database, ids: string[]): Promise<readonly Named[]> {
  const select = { id: true, scope: true, scopeId: true, period: true } as const;
  const budgets = await database.budget.findMany({ where: { id: { in: ids } }, select });
  const targetOf = (scope: string, id: string) => `${scope === "key" ? "api_key" : scope}:${id}`;
  const owners = await findTargetNames(
    database,
    budgets.flatMap(({ scope, scopeId }) => (scopeId === null ? [] : [targetOf(scope, scopeId)])),
  );
  return budgets.map(({ id, scope, scopeId, period }) => {
    const whose = scopeId === null ? (WHOSE[scope] ?? scope) : (owners.get(targetOf(scope, scopeId)) ?? scopeId);
    return { id, name: `${whose}, ${period === "total" ? "in total" : `per ${period}`}` };
  });
}

/** Of budgets that belong to nothing with a name. */
const WHOSE: Readonly<Record<string, string>> = { installation: "Installation", each_user: "Each person" };

/** The names of those targets (`project:prj_1`) that have one and are still there. */
export async function findTargetNames(database: Database, targets: readonly string[]): Promise<Names> {
  const idsByNoun = new Map<string, Set<string>>();
  for (const target of targets) {
    const [noun, id] = splitTarget(target);
    if (FINDERS[noun] === undefined) continue;
    idsByNoun.set(noun, (idsByNoun.get(noun) ?? new Set()).add(id));
  }
  const found = await Promise.all(
    [...idsByNoun].map(async ([noun, ids]) => {
      const named = (await FINDERS[noun]?.(database, [...ids])) ?? [];
      return named.map(({ id, name }) => [`${noun}:${id}`, name] as const);
    }),
  );
  return new Map(found.flat());
}

function splitTarget(target: string): readonly [noun: string, id: string] {
  const cut = target.indexOf(":");
  return cut < 0 ? ["", target] : [target.slice(0, cut), target.slice(cut + 1)];
}
