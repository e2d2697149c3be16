// A separate process whose runs delegate to a subagent that needs an approval; see asking-child-kill.test.ts. With a
// thread it starts a run in it and kills itself with SIGKILL once parent and subagent wait; without one it brings every
// run to its end. Arguments: database URL, file of side effects, thread of a new run ("" for none).
import { setTimeout as sleep } from "node:timers/promises";
import { permissionsHook } from "@/lib/hooks/permissions";
import { PermissionsConfig } from "@/lib/schema/agents/agent-config-rules";
import { openDatabase } from "@/lib/server/platform/db/database";
import { sendTool } from "@/lib/testing/fixtures/approval-parts";
import { buildWithSubagents, delegatingModel, startBareHost } from "@/lib/testing/processes/bare-host";

const [url = "", effectsFile = "", threadId = ""] = process.argv.slice(2);
const database = await openDatabase(url);
const permissions = PermissionsConfig.parse({ enabled: true });
const build = buildWithSubagents(database, {
  model: delegatingModel({ prompt: "send it", call: { name: "send", args: { to: "ada" } } }),
  tools: [sendTool(effectsFile)],
  hooks: [permissionsHook({ permissions, workdir: "/workspace" })],
});
const host = await startBareHost(database, build);
if (threadId !== "") {
  await host.begin({ ownerId: "member", threadId, agentId: "sender" });
  while ((await database.run.count({ where: { status: "waiting" } })) < 2) await sleep(5);
  process.kill(process.pid, "SIGKILL");
}
await host.untilIdle();
await host.close();
