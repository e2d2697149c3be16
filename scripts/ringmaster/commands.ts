import path from "node:path";
import { callerDirectory, isRelease, typed } from "../installation";
import { planRestart, stageOfStart } from "../server/restart-process";
import type { Command, Given } from "./command";
import { UsageError } from "./command";

const NOT_POSTGRES = (url: string, advice: string) => (url.startsWith("file:") ? [] : [advice]);
/** Endlessly nested folders have long paths. */
const LONGEST_ENTRY = 200;

const start: Command = {
  summary: "serves the pages and runs the agents",
  usage: ["start [--data <folder>] [--port 3000] [--host 127.0.0.1] [--without-backup]"],
  options: { port: { type: "string" }, host: { type: "string" }, "without-backup": { type: "boolean" } },
  failure: "Ringmaster can't start",
  run: async (given) => {
    for (const [option, variable] of [["port", "PORT"] as const, ["host", "HOST"] as const]) {
      const value = given.text(option);
      if (value !== undefined) process.env[variable] = value;
    }
    // Before the server's code is loaded, so that it is loaded once. A clone prepares its start first, which takes longer.
    if (isRelease && stageOfStart() === null) planRestart()?.("begun");
    const { serve } = await import("../server/serve");
    const withoutBackup = given.has("without-backup");
    await serve({ isDevelopment: false, data: given.text("data"), withoutBackup });
    return null;
  },
};

const migrate: Command = {
  summary: "brings the database up to this version, with the server stopped",
  usage: ["migrate [--data <folder>] [--without-backup]"],
  options: { "without-backup": { type: "boolean" } },
  failure: "The database was not migrated",
  run: async (given) => {
    const { commandEnvironment } = await import("../command-environment");
    const { lockDataDirectory } = await import("@/lib/server/platform/data-directory");
    const { refuseHalfRestore } = await import("../backup/restore-mark");
    const { updateDatabase } = await import("../update/update-database");
    const environment = commandEnvironment(given.text("data"));
    lockDataDirectory(environment.dataDirectory);
    refuseHalfRestore(environment.dataDirectory);
    const say = (sentence: string) => void process.stdout.write(`${sentence}\n`);
    const applied = await updateDatabase(environment, { withoutBackup: given.has("without-backup"), say });
    return { ok: true, lines: [applied.length === 0 ? "Up to date." : `Applied ${applied.join(", ")}.`] };
  },
};

const backup: Command = {
  summary: "copies the whole installation into a new folder, while its server runs",
  usage: ["backup <new folder> [--data <folder>]"],
  failure: "Nothing was backed up",
  run: async (given) => {
    const folder = folderOf(given, "Name a new folder.");
    const { commandEnvironment } = await import("../command-environment");
    const { backUp } = await import("../backup/backup");
    const environment = commandEnvironment(given.text("data"));
    const leftOut = await backUp(environment, folder);
    const advice = "The Postgres database is not part of it: back that up with pg_dump.";
    const lines = [`Backed up to ${folder}`, ...leftOut.map((entry) => `Left out: ${shorten(entry)}`)];
    return { ok: true, lines: [...lines, ...NOT_POSTGRES(environment.databaseUrl, advice)] };
  },
};

const restore: Command = {
  summary: "replaces the data by a backup, with the server stopped; --dry-run only looks whether it could",
  usage: ["restore <folder of a backup> [--data <folder>]", "restore --dry-run <backup.tar.gz>"],
  options: { "dry-run": { type: "boolean" } },
  failure: "Nothing was restored",
  run: async (given) => {
    const source = folderOf(given, "Name the folder of a backup.");
    if (given.has("dry-run")) {
      const { callServer, findServer } = await import("../server-api");
      const { dryRunRestore } = await import("./dry-run-restore");
      return dryRunRestore(callServer(findServer(given.text("data"))), source);
    }
    const { commandEnvironment } = await import("../command-environment");
    const environment = commandEnvironment(given.text("data"));
    const { restore: putBack } = await import("../backup/restore");
    const aside = await putBack(environment, source);
    const advice = "The Postgres database is not part of it: restore that with pg_restore or psql.";
    const lines = [`Restored into ${environment.dataDirectory}. Start the server with ${typed("start")}.`];
    if (aside !== null) lines.push(`What was there before is in ${aside}`);
    return { ok: true, lines: [...lines, ...NOT_POSTGRES(environment.databaseUrl, advice)] };
  },
};

const agents: Command = {
  summary: "keeps the agents of a running server as files",
  usage: ["agents pull [--folder agents] [--force] [id …]", "agents push [--folder agents] [--dry-run] [id …]"],
  options: { folder: { type: "string" }, force: { type: "boolean" }, "dry-run": { type: "boolean" } },
  failure: "Stopped",
  run: async (given) => {
    const [verb, ...ids] = given.words;
    if (verb !== "pull" && verb !== "push") throw new UsageError("Say pull or push.");
    const { callServer, findServer } = await import("../server-api");
    const { pullAgents, pushAgents } = await import("./agent-files");
    const folder = path.resolve(callerDirectory(), given.text("folder") ?? "agents");
    const call = callServer(findServer(given.text("data")));
    if (verb === "pull") return pullAgents(call, { folder, ids, force: given.has("force") });
    return pushAgents(call, { folder, ids, dryRun: given.has("dry-run") });
  },
};

const traces: Command = {
  summary: "finds, reads, compares and exports runs of a running server, as far as its key reaches",
  usage: [
    'traces find "failed runs of coder yesterday" [--json]',
    "traces list [--agent id] [--status failed] [--search text] [--since time] [--until time] [--limit 50] [--json]",
    "traces show <id of a trace or run> [--json]",
    "traces read <id>",
    "traces compare <id> <id> [--json]",
    "traces export <id> [--output file]",
    "traces bundle <id> --output file.html",
  ],
  options: {
    agent: { type: "string" },
    status: { type: "string" },
    search: { type: "string" },
    since: { type: "string" },
    until: { type: "string" },
    limit: { type: "string" },
    json: { type: "boolean" },
    output: { type: "string" },
  },
  failure: "No trace was read",
  run: async (given) => {
    const [verb = "", ...names] = given.words;
    const [a, b] = namesFor(verb, names);
    const choice = chosenTraces(given);
    const { callServer, findServer } = await import("../server-api");
    const commands = await import("./trace-commands");
    const call = callServer(findServer(given.text("data"), "an API key"));
    const asJson = given.has("json");
    const output = given.text("output");
    switch (verb) {
      case "find":
        return commands.findTraces(call, names.join(" "), asJson);
      case "show":
        return commands.showTrace(call, a, asJson);
      case "read":
        return commands.readTrace(call, a);
      case "compare":
        return commands.compareTraces(call, [a, b], asJson);
      case "bundle":
        if (output === undefined) throw new UsageError("Name the file: --output run.html.");
        return commands.bundleTrace(call, a, path.resolve(callerDirectory(), output));
      case "export":
        return commands.exportTrace(
          call,
          a,
          output === undefined ? undefined : path.resolve(callerDirectory(), output),
        );
      default:
        return commands.listTraces(call, choice, asJson);
    }
  },
};

/** How many runs each verb takes; words that are searched for may be any number. */
const TRACE_VERBS: Readonly<Record<string, number>> = {
  ...{ find: 1, list: 0, show: 1, read: 1, compare: 2, export: 1, bundle: 1 },
};

/** Throws UsageError. */
function namesFor(verb: string, names: readonly string[]): readonly [string, string] {
  const wanted = Object.hasOwn(TRACE_VERBS, verb) ? TRACE_VERBS[verb] : undefined;
  if (wanted === undefined) throw new UsageError("Say find, list, show, read, compare, export or bundle.");
  const fits = verb === "find" ? names.length > 0 : names.length === wanted;
  if (!fits) throw new UsageError(verb === "find" ? "Say what is searched for." : NAMES[wanted]);
  return [names[0] ?? "", names[1] ?? ""];
}

const NAMES = ["A list takes no names.", "Name one trace or run.", "Name two traces or runs."];

/** A day counts from its beginning in UTC. */
function chosenTraces(given: Given) {
  const time = (option: string) => {
    const text = given.text(option);
    if (text === undefined) return;
    const at = new Date(text);
    if (Number.isNaN(at.getTime()))
      throw new UsageError(`--${option} takes a time such as 2026-11-28 or 2026-11-28T09:00:00Z.`);
    return at.toISOString();
  };
  return {
    agentId: given.text("agent"),
    status: given.text("status"),
    q: given.text("search"),
    since: time("since"),
    until: time("until"),
    limit: given.text("limit"),
  };
}

const doctor: Command = {
  summary: "says what is right with the installation and what is not, and what corrects it",
  usage: ["doctor [--online] [--json] [--data <folder>]"],
  options: { json: { type: "boolean" }, online: { type: "boolean" } },
  failure: "The installation could not be examined",
  run: async (given) => {
    const { describeReport, examine } = await import("../doctor/doctor");
    const report = await examine({ data: given.text("data"), isOnline: given.has("online") });
    // Also if something is broken: what reads JSON reads it there.
    process.stdout.write(
      `${given.has("json") ? JSON.stringify(report, null, 2) : describeReport(report).join("\n")}\n`,
    );
    return { ok: report.ok, lines: [] };
  },
};

const rollback: Command = {
  summary: "puts back the database of before the last update, with the server stopped",
  usage: ["rollback [--data <folder>]"],
  failure: "Nothing was rolled back",
  run: async (given) => {
    const { commandEnvironment } = await import("../command-environment");
    const { rollBack } = await import("../update/roll-back");
    const { aside, backup: from, version } = await rollBack(commandEnvironment(given.text("data")));
    const next = version === null ? "the version that you had before" : `version ${version}`;
    return { ok: true, lines: [`Put back ${from}.`, `The database of after it is in ${aside}`, `Now start ${next}.`] };
  },
};

const make: Command = {
  summary: "writes a working extension with its test",
  usage: ["new extension <name> [hook|tool] [--data <folder>]"],
  failure: "Nothing was written",
  run: async (given) => {
    const [what, name, kind = "hook", ...more] = given.words;
    if (what !== "extension") throw new UsageError("Say what: extension.");
    if (name === undefined) throw new UsageError("Name the extension. A name looks like no-friday.");
    if ((kind !== "hook" && kind !== "tool") || more.length > 0) throw new UsageError("It is a hook or a tool.");
    const { commandEnvironment } = await import("../command-environment");
    const { describeNext, writeExtension } = await import("../extensions/new-extension");
    const extensions = path.join(commandEnvironment(given.text("data")).dataDirectory, "extensions");
    const files = writeExtension(extensions, name, kind).map((file) => `Wrote ${path.join(extensions, file)}`);
    return { ok: true, lines: [...files, "", ...describeNext(extensions, name, kind)] };
  },
};

/** By the word that one types. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  start,
  doctor,
  migrate,
  rollback,
  backup,
  restore,
  agents,
  traces,
  new: make,
};

function folderOf({ words }: Given, advice: string): string {
  const [folder, ...more] = words;
  if (folder === undefined || more.length > 0) throw new UsageError(advice);
  return path.resolve(callerDirectory(), folder);
}

function shorten(entry: string): string {
  return entry.length > LONGEST_ENTRY ? `${entry.slice(0, 100)} … ${entry.slice(-95)}` : entry;
}
