// npm run ringmaster -- agents pull|push: keeps the agents of a running server as files.
import path from "node:path";
import { parseArgs } from "node:util";
import { callServer, findServer } from "../server-api";
import { pullAgents, pushAgents } from "./agent-files";
import { dryRunRestore } from "./dry-run-restore";

const USAGE = `npm run ringmaster -- agents pull [--folder agents] [--force] [id …]
npm run ringmaster -- agents push [--folder agents] [--dry-run] [id …]
npm run ringmaster -- restore --dry-run backup.tar.gz   (on the machine of the server)

The server is RINGMASTER_URL, by default the one of this machine; RINGMASTER_API_KEY is the key of an administrator.`;

function readArguments() {
  return parseArgs({
    allowPositionals: true,
    options: {
      folder: { type: "string", default: "agents" },
      force: { type: "boolean", default: false },
      "dry-run": { type: "boolean", default: false },
    },
  });
}

async function run({
  values,
  positionals,
}: ReturnType<typeof readArguments>): Promise<{ lines: readonly string[]; ok: boolean }> {
  const [noun, verb, ...ids] = positionals;
  const { force, "dry-run": dryRun } = values;
  /** Relative to where the command was typed; npm itself runs it in the project. */
  const folder = path.resolve(process.env.INIT_CWD ?? ".", values.folder);
  if (noun === "restore" && dryRun && verb !== undefined) {
    return dryRunRestore(callServer(findServer()), path.resolve(process.env.INIT_CWD ?? ".", verb));
  }
  if (noun !== "agents" || (verb !== "pull" && verb !== "push")) return { lines: [USAGE], ok: false };
  const call = callServer(findServer());
  return verb === "pull" ? pullAgents(call, { folder, ids, force }) : pushAgents(call, { folder, ids, dryRun });
}

const report = await runOrSayWhy();
(report.ok ? process.stdout : process.stderr).write(`${report.lines.join("\n")}\n`);
if (!report.ok) process.exitCode = 1;

async function runOrSayWhy(): ReturnType<typeof run> {
  try {
    return await run(readArguments());
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isTypo = error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
    return { lines: isTypo ? [message, "", USAGE] : [`Stopped: ${message}`], ok: false };
  }
}
