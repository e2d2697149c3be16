// doctor --online: one bounded call to each server that the installation uses. Nothing is changed or stored, here or there.
import { existsSync } from "node:fs";
import path from "node:path";
import { isLoopback } from "@/lib/schema/loopback";
import type { Database } from "@/lib/server/platform/db/database";
import type { Environment } from "@/lib/server/platform/env";
import { redactText } from "@/lib/server/platform/logger";
import { redactSecrets } from "@/lib/server/platform/secrets/known-secrets";
import { VERSION } from "@/lib/server/platform/version";
import { examinedModels, readOwnProviders } from "@/lib/server/providers/models";
import { tryProvider } from "@/lib/server/providers/test-provider";
import { whyMailFails } from "@/lib/server/settings/mail";
import { readSections } from "@/lib/server/settings/settings";
import { sendSpans } from "@/lib/server/traces/otlp/send-spans";
import { openChannel } from "@/lib/server/triggers/channels/connection";
import { isAbsent, reading } from "./check-database";
import { isOurs } from "./check-machine";
import { broken, type CheckReport, type Finding, ok, skipped, warning } from "./finding";

const LIMIT_MS = 15_000;
const MAX_HEALTH_BYTES = 100_000;

interface Call {
  readonly id: string;
  readonly title: string;
  /** What to do if it fails. */
  readonly fix: string;
  readonly ask: (signal: AbortSignal) => Promise<Finding>;
}

/** All at once; each ends within `limitMs`. */
export async function checkServers(environment: Environment, limitMs = LIMIT_MS): Promise<CheckReport[]> {
  const stored = isAbsent(environment)
    ? callsOfProviders(environment, [])
    : await reading(environment.databaseUrl, async (db) => callsOfDatabase(environment, db)).catch((error: unknown) => [
        ...callsOfProviders(environment, []),
        describeUnread(error),
      ]);
  const calls = [callOfPublicUrl(environment), ...callOfCollector(environment), ...stored];
  return Promise.all(calls.map((call) => report(call, limitMs)));
}

async function report({ id, title, fix, ask }: Call, limitMs: number): Promise<CheckReport> {
  const signal = AbortSignal.timeout(limitMs);
  const silence = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => silence.reject(new Error(`It said nothing for ${limitMs / 1_000} s.`)));
  const asked = Promise.resolve().then(() => ask(signal));
  const finding = await Promise.race([asked, silence.promise]).catch((error: unknown) =>
    broken(signal.aborted ? `It said nothing for ${limitMs / 1_000} s.` : messageOf(error), fix),
  );
  return { id, title, ...finding, detail: redactSecrets(redactText(finding.detail)) };
}

async function callsOfDatabase(environment: Environment, db: Database): Promise<Call[]> {
  requireSecret(environment);
  const [own, { settings }, channels] = await Promise.all([
    readOwnProviders(db),
    readSections(db),
    db.channel.findMany({ where: { enabled: true } }),
  ]);
  const { smtp } = settings;
  const mail: Call = {
    id: "mail:server",
    title: "Mail server",
    fix: "Correct it at Admin, Settings, Mail.",
    async ask() {
      if (smtp === null) return skipped("There is none.");
      const why = await whyMailFails(smtp);
      return why === null ? ok(`${smtp.host} lets Ringmaster in`) : broken(why, mail.fix);
    },
  };
  const ofChannels = channels.map(
    (row): Call => ({
      id: `channel:${row.id}`,
      title: row.name,
      fix: "Correct it at Admin, Channels.",
      async ask(signal) {
        const { channel, connection } = await openChannel(row);
        const { username } = await channel.test(connection, signal);
        return ok(`${row.kind} answers, as ${username}`);
      },
    }),
  );
  return [...callsOfProviders(environment, own), mail, ...ofChannels];
}

/** To read what is encrypted, a secret would be created; the doctor changes nothing. */
function requireSecret({ secrets, dataDirectory }: Environment): void {
  const file = path.join(dataDirectory, "secret");
  if (secrets.length > 0 || existsSync(file)) return;
  throw new Error(`${file} is missing, so stored keys and passwords can't be read.`);
}

function describeUnread(error: unknown): Call {
  const fix = "Put it back from a backup, or set RINGMASTER_SECRET.";
  return { id: "stored", title: "Stored servers", fix, ask: () => Promise.reject(error) };
}

function callsOfProviders(environment: Environment, own: Awaited<ReturnType<typeof readOwnProviders>>): Call[] {
  const registry = examinedModels(environment, own);
  const remote = registry.providers().filter(({ source }) => source !== "built-in");
  return remote.map(({ id, name, variable }): Call => {
    const fix =
      variable === null ? `Correct it at /admin/models?provider=${id}.` : `Correct ${variable}, or its address.`;
    return {
      id: `provider:${id}`,
      title: name,
      fix,
      async ask(signal) {
        const { error, model, latencyMs, ...test } = await tryProvider(registry, id, { signal, byName: null });
        return test.ok ? ok(`${model} answered in ${latencyMs} ms`) : broken(error ?? "The call failed.", fix);
      },
    };
  });
}

function callOfPublicUrl({ publicUrl, host, port, role }: Environment): Call {
  const fix = "Set RINGMASTER_PUBLIC_URL to the address that people open, and let the proxy pass everything on.";
  const address = new URL("/health", publicUrl).href;
  const isOfThisMachine = isLoopback(new URL(publicUrl).hostname);
  return {
    id: "public-url:health",
    title: "Public address",
    fix,
    async ask(signal) {
      if (role === "worker" && isOfThisMachine) return skipped(`A worker serves no pages at ${publicUrl}.`);
      const reply = await fetch(address, { signal, redirect: "manual" }).catch((error: unknown) => error);
      signal.throwIfAborted();
      if (!(reply instanceof Response)) {
        const found = `Nothing answers at ${address}: ${messageOf(reply)}`;
        const isServed = await isOurs(host, port);
        if (isServed && isOfThisMachine)
          return warning(found, `In a container that is the container itself: open ${publicUrl} in a browser.`);
        if (isServed) return broken(found, "Check the name, the proxy and its certificate.");
        return warning(found, "Start the server, then look again.");
      }
      return describeHealth(address, reply, fix);
    },
  };
}

/** A request without spans, which a collector takes like any other. */
function callOfCollector({ otlp }: Environment): Call[] {
  if (otlp === null) return [];
  const fix = "Correct OTEL_EXPORTER_OTLP_ENDPOINT, or OTEL_EXPORTER_OTLP_HEADERS.";
  return [
    {
      id: "otlp:collector",
      title: "OTLP collector",
      fix,
      async ask() {
        const outcome = await sendSpans([], otlp);
        return outcome.kind === "accepted" ? ok(`${otlp.url} takes traces`) : broken(outcome.reason, fix);
      },
    },
  ];
}

async function describeHealth(address: string, reply: Response, fix: string): Promise<Finding> {
  const target = reply.headers.get("location");
  if (target !== null) return broken(`${address} leads to ${target}.`, fix);
  const version = versionIn(await readStart(reply));
  if (version === null) return broken(`${address} answers ${reply.status}, but not as Ringmaster.`, fix);
  if (version !== VERSION) return warning(`${address} is served by version ${version}, this is ${VERSION}.`, fix);
  return ok(`${address} answers`);
}

/** A page that never ends is not read to its end. */
async function readStart({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    parts.push(part);
    bytes += part.length;
    if (bytes > MAX_HEALTH_BYTES) break;
  }
  return Buffer.concat(parts).toString("utf8");
}

function versionIn(text: string): string | null {
  try {
    const health: unknown = JSON.parse(text);
    const isOne = typeof health === "object" && health !== null && "status" in health && "version" in health;
    return isOne ? String(health.version) : null;
  } catch {
    return null;
  }
}

/** What fetch says is in the cause. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message === "fetch failed" && error.cause instanceof Error ? messageOf(error.cause) : error.message;
}
