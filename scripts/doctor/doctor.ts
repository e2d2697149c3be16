// ringmaster doctor: what is right with an installation and what is not, each with what corrects it.
import { type Environment, env } from "@/lib/server/platform/env";
import { setLogLevel } from "@/lib/server/platform/logger";
import { VERSION } from "@/lib/server/platform/version";
import { enterProgram } from "../installation";
import {
  checkBackups,
  checkClock,
  checkDatabase,
  checkExtensions,
  checkMail,
  checkMigrations,
  checkProviders,
  describeFailure,
} from "./check-database";
import { checkData, checkDisk, checkNode, checkPort, checkPublicUrl, checkSandbox } from "./check-machine";
import { type CheckReport, type DoctorReport, type Finding, skipped } from "./finding";

interface Check {
  readonly id: string;
  readonly title: string;
  readonly look: (environment: Environment) => Finding | Promise<Finding>;
}

interface Examination {
  readonly data?: string;
  readonly isOnline: boolean;
}

/** In the order in which a person would look: what a later one needs comes first. */
function checks(isUrlNamed: boolean): readonly Check[] {
  return [
    { id: "node", title: "Node", look: () => checkNode() },
    { id: "data", title: "Data", look: checkData },
    { id: "disk", title: "Disk", look: checkDisk },
    { id: "database", title: "Database", look: checkDatabase },
    { id: "migrations", title: "Migrations", look: async (environment) => (await checkMigrations(environment))[0] },
    { id: "newer", title: "Version", look: async (environment) => (await checkMigrations(environment))[1] },
    { id: "sandbox", title: "Sandbox", look: checkSandbox },
    { id: "port", title: "Port", look: checkPort },
    { id: "public-url", title: "Public address", look: (environment) => checkPublicUrl(environment, isUrlNamed) },
    { id: "clock", title: "Clock", look: checkClock },
    { id: "mail", title: "Mail", look: checkMail },
    { id: "providers", title: "Models", look: checkProviders },
    { id: "extensions", title: "Extensions", look: checkExtensions },
    { id: "backups", title: "Backups", look: checkBackups },
  ];
}

/**
 * Looks at the installation that the environment names; changes nothing. Only `isOnline` also asks the servers that it
 * uses. Throws `EnvironmentError`.
 */
export async function examine({ data, isOnline }: Examination): Promise<DoctorReport> {
  enterProgram(data);
  // The report is the output: no log line may stand in it.
  setLogLevel("silent");
  const isUrlNamed = process.env.RINGMASTER_PUBLIC_URL !== undefined;
  const environment = env();
  const found: CheckReport[] = [];
  for (const { id, title, look } of checks(isUrlNamed)) {
    const finding = await Promise.resolve()
      .then(() => look(environment))
      .catch((error: unknown) => {
        const cause = causeBefore(found);
        return cause === null ? describeFailure(error) : skipped(cause);
      });
    found.push({ id, title, ...finding });
  }
  if (isOnline) {
    const { checkServers } = await import("./check-servers");
    found.push(...(await checkServers(environment)));
  }
  return { version: VERSION, ok: found.every(({ state }) => state !== "broken"), checks: found };
}

/** Said once: what fails after it fails because of it. */
function causeBefore(found: readonly CheckReport[]): string | null {
  const isIn = (id: string, ...states: readonly string[]) =>
    found.some((check) => check.id === id && states.includes(check.state));
  if (isIn("database", "broken")) return "The database can't be read.";
  if (isIn("migrations", "warning", "broken")) return "The database is not up to date.";
  return isIn("newer", "broken") ? "The database is newer than this program." : null;
}

const SIGNS = { ok: "✓", warning: "!", broken: "✗", skipped: "–" } as const;

/** One screen for a person. */
export function describeReport({ version, ok, checks: found }: DoctorReport): string[] {
  const width = Math.max(...found.map(({ title }) => title.length));
  const lines = found.flatMap(({ state, title, detail, fix }) => [
    `  ${SIGNS[state]} ${title.padEnd(width)}  ${detail}`,
    ...(fix ? [`    ${"".padEnd(width)}  → ${fix}`] : []),
  ]);
  const warnings = found.filter(({ state }) => state === "warning").length;
  const end = ok
    ? warnings === 0
      ? "Nothing is wrong."
      : `Nothing is broken; ${warnings} could be better.`
    : "Something is broken.";
  return [`Ringmaster ${version}`, "", ...lines, "", end];
}
