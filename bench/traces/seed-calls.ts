import { sqlJson } from "../../lib/server/platform/db/dialect";
import { isTiny } from "../is-tiny";

type Database = import("../../lib/server/platform/db/database").Database;

/** The agent whose calls are judged again, and how many it made in the last 30 days, no two alike. */
export const JUDGED = { agentId: "agent-judged", calls: isTiny ? 40 : 10_000 };

const PERIOD_MS = 29 * 86_400_000;
const CONTENT = "A line of the file that is written. ".repeat(40);

/** Calls of one long run, as the permissions left them: commands, files read and files written. */
export async function seedCalls(db: Database): Promise<void> {
  const { agentId } = JUDGED;
  await db.agent.create({ data: { id: agentId } });
  const version = { id: `${agentId}-1`, agentId, number: 1, configHash: agentId };
  await db.agentVersion.create({ data: { ...version, config: '{"name":"Judged","model":"openai:gpt-5"}' } });
  await db.agent.update({ where: { id: agentId }, data: { currentVersionId: version.id } });
  const startedAt = new Date(Date.now() - PERIOD_MS);
  const trace = { id: "judged", runId: "judged", threadId: "judged", ownerId: "u1", agentId, agentVersion: 1 };
  await db.trace.create({ data: { ...trace, agentVersionId: version.id, status: "completed", steps: 1, startedAt } });
  const calls = Array.from({ length: JUDGED.calls }, (_, number) => callOf(number));
  await db.raw(
    `insert into "call" ("runId", "toolCallId", "traceId", "rootRunId", "threadId", "ownerId", "agentId",
       "agentVersionId", "agentVersion", "step", "spanId", "tool", "kind", "gist", "args", "argsHash", "annotations",
       "aliases", "pathArgument", "workdir", "subject", "verdict", "verdictBy", "decision", "status", "startedAt")
     select 'judged', c."id", 'judged', 'judged', 'judged', 'u1', '${agentId}', '${version.id}', 1, 1, c."id", c."tool",
       'tool', c."gist", c."args", c."id", c."annotations", c."aliases", c."pathArgument", '/workspace', c."subject",
       c."verdict", 'mode', c."decision", 'completed', c."startedAt"
     from ${db.dialect.rows("c", COLUMNS, "$1")}`,
    [sqlJson(calls)],
  );
}

const COLUMNS = {
  id: "text",
  tool: "text",
  gist: "text",
  args: "text",
  annotations: "text",
  aliases: "text",
  pathArgument: "text",
  subject: "text",
  verdict: "text",
  decision: "text",
  startedAt: "timestamp",
} as const;

const KINDS = [
  {
    facts: { tool: "execute", aliases: '["Bash"]', pathArgument: null, subject: "{}" },
    argsOf: (number: number) => ({ command: `npm run task-${number} -- --reporter dot` }),
  },
  {
    facts: { tool: "read_file", aliases: '["Read"]', pathArgument: "path", subject: '{"approval":"never"}' },
    argsOf: (number: number) => ({ path: `src/part-${number % 100}/file-${number}.ts` }),
  },
  {
    facts: { tool: "execute", aliases: '["Bash"]', pathArgument: null, subject: "{}" },
    argsOf: (number: number) => ({ command: `git commit -m "Change ${number}"` }),
  },
  {
    facts: {
      tool: "write_file",
      aliases: '["Write"]',
      pathArgument: "path",
      subject: '{"approval":"edit","argumentAliases":{"file_path":"path"}}',
    },
    argsOf: (number: number) => ({ content: CONTENT, path: `src/part-${number % 100}/new-${number}.ts` }),
  },
] as const;

function callOf(number: number) {
  const { facts, argsOf } = KINDS[number % KINDS.length] ?? KINDS[0];
  const isAsked = facts.tool === "execute";
  const startedMs = Date.now() - Math.floor((number / JUDGED.calls) * PERIOD_MS);
  const args = argsOf(number);
  return {
    ...facts,
    id: `call${String(number).padStart(6, "0")}`,
    gist: "command" in args ? args.command : args.path,
    args: JSON.stringify(args),
    annotations: facts.tool === "read_file" ? '{"readOnly":true}' : "{}",
    verdict: isAsked ? "ask" : "allow",
    decision: isAsked ? (number % 50 === 0 ? "deny" : "allow") : null,
    startedAt: new Date(startedMs).toISOString().replace("Z", "+00:00"),
  };
}
