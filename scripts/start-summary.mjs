// What a person who started the server should see (D-67).
import { readFileSync } from "node:fs";
import path from "node:path";
import { projectDirectory } from "./prisma-cli.mjs";

/** A few lines: version, address, database, sandbox, providers, agents. Never a secret. */
export async function describeStart(environment, port) {
  const { version } = JSON.parse(readFileSync(path.join(projectDirectory, "package.json"), "utf8"));
  const isAnyAddress = environment.host === "0.0.0.0" || environment.host === "::";
  const lines = [
    ["Ringmaster", version],
    ["Open", `http://${isAnyAddress ? "localhost" : environment.host}:${port}`],
    ["Database", describeDatabase(environment.databaseUrl)],
    ["Data", environment.dataDirectory],
    ["Sandbox", await describeSandbox(environment.allowUnsandboxed)],
    ["Providers", describeProviders(environment.providers)],
    ["Agents", await describeAgents()],
  ];
  const rows = lines.map(([name, value]) => `  ${name.padEnd(11)}${value}`);
  return `\n${rows.join("\n")}\n\n`;
}

function describeDatabase(url) {
  if (url.startsWith("file:")) return `SQLite, ${url.slice("file:".length)}`;
  const { host, pathname } = new URL(url);
  return `Postgres, ${host}${pathname}`;
}

async function describeSandbox(unsafe) {
  const { probeSandbox } = await import("../lib/workspaces/probe-sandbox.ts");
  const status = await probeSandbox({ unsafe });
  if (!status.available)
    return `none, so agents can't run commands. ${status.reason ?? ""} ${status.remedy ?? ""}`.trim();
  if (status.mode === "bubblewrap") return "bubblewrap: agents may run commands";
  return "OFF (RINGMASTER_ALLOW_UNSANDBOXED=1): commands of agents run with your rights";
}

function describeProviders(providers) {
  const names = Object.entries(providers).flatMap(([name, provider]) => (provider === null ? [] : [name]));
  return names.length === 0
    ? "none, so the built-in demo model answers. Set OPENAI_API_KEY or another"
    : names.join(", ");
}

async function describeAgents() {
  const { database } = await import("../lib/server/db.ts");
  const agents = await database().agent.findMany({ where: { deletedAt: null }, select: { id: true } });
  return agents.map((agent) => agent.id).join(", ") || "none";
}
