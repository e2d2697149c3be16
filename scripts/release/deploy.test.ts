import { spawnSync } from "node:child_process";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { DEFAULT_DOCKER_SOCKET } from "@/lib/server/platform/env";
import { requireMachine } from "@/lib/testing/setup/require-machine";

const read = (file: string) => readFileSync(file, "utf8");
const manifest = z
  .object({ devDependencies: z.record(z.string(), z.string()), scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read("package.json")));

const Service = z.object({
  image: z.string(),
  build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
  profiles: z.array(z.string()).min(1),
  command: z.union([z.string(), z.array(z.string())]).optional(),
  environment: z.record(z.string(), z.unknown()).default({}),
  depends_on: z.union([z.array(z.string()), z.record(z.string(), z.unknown())]).default([]),
  volumes: z.array(z.string()).default([]),
  read_only: z.boolean().default(false),
});
const Compose = z.object({ services: z.record(z.string(), Service), volumes: z.record(z.string(), z.unknown()) });

const { services, volumes } = Compose.parse(parse(read("deploy/compose.yaml"), { merge: true }));
const ours = Object.entries(services).filter(([, { build }]) => build !== undefined);
const environment = read("lib/server/platform/env.ts");
const isRead = (variable: string) => environment.includes(`\n  ${variable}: `);
const commands = read("scripts/ringmaster/commands.ts");

/** The instructions of a Dockerfile, continued lines joined, without comments. */
function instructionsOf(dockerfile: string): string[] {
  const lines = dockerfile.split("\n").filter((line) => !line.trimStart().startsWith("#"));
  return lines
    .join("\n")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line !== "");
}

describe("compose.yaml", () => {
  test("starts one process, or two that serve and two that execute runs behind a proxy", () => {
    const of = (profile: string) => Object.keys(services).filter((name) => services[name]?.profiles.includes(profile));
    expect(of("sqlite")).toEqual(["ringmaster"]);
    expect(of("postgres")).toEqual(["postgres", "migrate", "web", "worker", "proxy"]);
  });

  test("builds all its processes from the Dockerfile, with a root that is read-only", () => {
    expect(ours.map(([name]) => name)).toEqual(["ringmaster", "migrate", "web", "worker"]);
    for (const [name, { build, read_only: isReadOnly }] of ours) {
      expect(existsSync(path.join("deploy", build?.context ?? "", build?.dockerfile ?? "")), name).toBe(true);
      expect(isReadOnly, name).toBe(true);
    }
  });

  test("sets only variables that the program reads, and runs only its commands", () => {
    const unknown = ours.flatMap(([, service]) => Object.keys(service.environment).filter((name) => !isRead(name)));
    expect(unknown).toEqual([]);
    for (const [name, { command = ["start"] }] of ours) {
      expect(commands, name).toMatch(RegExp(`^const ${String(command[0])}: Command`, "m"));
    }
  });

  test("gives every process on Postgres the same folder of workspaces, which the image makes for its user", () => {
    const serving = ours.filter(([name, { profiles }]) => profiles.includes("postgres") && name !== "migrate");
    expect(serving.map(([name]) => name)).toEqual(["web", "worker"]);
    for (const [name, { volumes: mounts }] of serving) expect(mounts, name).toEqual(["workspaces:/data/workspaces"]);
    expect(read("lib/server/files/workspace-location.ts")).toContain(`path.join(dataDirectory, "workspaces")`);
    expect(read("deploy/Dockerfile")).toContain(
      "install --directory --owner ringmaster --group ringmaster --mode 0700 /data /data/workspaces",
    );
  });

  test("waits only for services of the same profile, and names the volumes that it uses", () => {
    const all = Object.entries(services);
    const waits = all.flatMap(([name, { depends_on: others }]) =>
      (Array.isArray(others) ? others : Object.keys(others)).map((other) => [name, other] as const),
    );
    expect(waits.length).toBeGreaterThan(0);
    for (const [name, other] of waits) expect(services[other]?.profiles, name).toEqual(services[name]?.profiles);
    const mounted = all.flatMap(([, service]) => service.volumes.map((volume) => volume.split(":")[0] ?? ""));
    expect(mounted.filter((volume) => !Object.hasOwn(volumes, volume))).toEqual([]);
  });
});

test("the sandbox gets in every container what it needs, and the guide and the probe name the same", () => {
  const needed = ["seccomp=unconfined", "apparmor=unconfined", "systempaths=unconfined"];
  for (const file of ["deploy/compose.yaml", "docs/guide/deploy.md", "docs/guide/sandbox.md"]) {
    expect(
      needed.filter((option) => !read(file).includes(option)),
      file,
    ).toEqual([]);
  }
  const remedies = read("lib/workspaces/sandbox/sandbox-remedies.ts");
  expect(needed.filter((option) => !remedies.includes(option))).toEqual([]);
});

describe("compose.containers.yaml", () => {
  const Addition = z.object({ volumes: z.array(z.string()), group_add: z.array(z.string()) });
  const Overlay = z.object({ services: z.record(z.string(), Addition) });
  const { services: added } = Overlay.parse(parse(read("deploy/compose.containers.yaml"), { merge: true }));

  test("gives the engine's socket to the processes that execute runs, and to no other", () => {
    const roleOf = (name: string) => services[name]?.environment.RINGMASTER_ROLE ?? "all";
    const executing = ours.map(([name]) => name).filter((name) => name !== "migrate" && roleOf(name) !== "web");
    expect(Object.keys(added)).toEqual(executing);
    const socket = DEFAULT_DOCKER_SOCKET;
    for (const { volumes: mounts } of Object.values(added)) expect(mounts).toEqual([`${socket}:${socket}`]);
  });
});

describe("Dockerfile", () => {
  const instructions = instructionsOf(read("deploy/Dockerfile"));
  const last = instructions.slice(instructions.findLastIndex((line) => line.startsWith("FROM ")));

  test("uses the Node that the tests run on", () => {
    const bases = instructions.filter((line) => line.startsWith("FROM "));
    expect(bases).toHaveLength(4);
    for (const base of bases) expect(base).toContain(`node:${manifest.devDependencies.node}-`);
  });

  test("copies what is there, and runs scripts that exist", () => {
    const copied = instructions
      .filter((line) => /^COPY (?!--from)/.test(line))
      .flatMap((line) => line.split(" ").slice(1, -1));
    for (const file of copied) expect(existsSync(file), file).toBe(true);
    const scripts = instructions.flatMap((line) =>
      [...line.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name ?? ""),
    );
    expect(scripts).toEqual(["release"]);
    for (const script of scripts) expect(manifest.scripts).toHaveProperty(script);
  });

  test("leaves out only what no build needs", () => {
    const left = read(".dockerignore").trim().split("\n");
    for (const needed of ["app", "components", "docs", "examples", "lib", "prisma", "public", "scripts", "README.md"]) {
      expect(left).not.toContain(needed);
    }
    for (const kept of [".git", ".env*", "data", "node_modules", ".next"]) expect(left).toContain(kept);
  });

  test("starts the program as a user of its own, with one volume and a check of its health", () => {
    const pack = read("scripts/release/pack-release.ts");
    expect(pack).toContain(`bin: { ringmaster:`);
    expect(last).toContain(`ENTRYPOINT ["ringmaster"]`);
    expect(last.filter((line) => /^(?:USER|VOLUME) /.test(line))).toEqual(["USER ringmaster", "VOLUME /data"]);
    expect(last.find((line) => line.startsWith("HEALTHCHECK "))).toContain("/health");
    const [, set = ""] = last.find((line) => line.startsWith("ENV "))?.split(/^ENV /) ?? [];
    const names = set.split(" ").map((pair) => pair.split("=")[0] ?? "");
    expect(names.filter((name) => !["NODE_ENV", "PATH"].includes(name) && !isRead(name))).toEqual([]);
  });
});

describe("prune-packages.sh", () => {
  const NEEDED = [
    ...["a/index.js", "a/package.json", "a/data.json", "a/LICENSE", "a/LICENSE.md", "a/license.txt", "a/NOTICE.md"],
    ...["a/prebuilds/linux-x64.node", "a/prebuilds/linuxmusl-arm64.node", "a/maps.js", "@b/c/build/c.wasm"],
    ...["ringmaster/program/examples/skills/otters/SKILL.md", "ringmaster/program/lib/a.js"],
  ];
  const NEEDLESS = [
    ...["a/index.js.map", "a/index.d.ts", "a/src/index.ts", "a/README.md", "a/docs/guide.mdx", "@b/c/index.d.mts"],
    ...["a/deps/sqlite3/sqlite3.c", "a/src/a.cpp", "a/binding.gyp", "a/prebuilds/darwin-arm64.node"],
    ...["a/prebuilds/win32-x64/a.node", "a/prebuilds/win32-x64.node"],
  ];

  test("leaves of the packages what runs and their licences, and the program whole", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "ringmaster-prune-"));
    try {
      for (const file of [...NEEDED, ...NEEDLESS]) {
        mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
        writeFileSync(path.join(folder, file), "");
      }
      expect(spawnSync("sh", ["deploy/prune-packages.sh", folder]).status).toBe(0);
      const left = readdirSync(folder, { recursive: true, withFileTypes: true });
      const files = left.filter((entry) => entry.isFile());
      expect(files.map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name))).sort()).toEqual(
        NEEDED.toSorted(),
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("is run on the packages of the image", () => {
    const all = instructionsOf(read("deploy/Dockerfile")).join("\n");
    expect(all).toContain("prune-packages.sh /opt/ringmaster/lib/node_modules/ringmaster");
  });
});

describe("ringmaster.service", () => {
  const unit = read("deploy/ringmaster.service");

  test("starts what the guide installs, where the guide installs it", () => {
    const guide = read("docs/guide/deploy.md");
    expect(unit).toMatch(/^ExecStart=\/usr\/local\/bin\/ringmaster start$/m);
    expect(guide).toContain("npm install --global --prefix /usr/local ./ringmaster-");
    // Whoever runs a command beside the server needs the server's settings for it.
    expect(guide).toContain("--property=EnvironmentFile=/etc/ringmaster.env");
    for (const [, file = ""] of unit.matchAll(/^(?:EnvironmentFile|WorkingDirectory)=-?(.+)$/gm)) {
      expect(guide).toContain(file);
    }
  });

  test("leaves the sandbox what it is made of", () => {
    const namespaces = ["RestrictNamespaces", "ProtectHostname", "PrivateUsers", "SystemCallFilter"];
    const proc = ["ProtectKernelTunables", "ProtectKernelLogs", "ProtectProc", "ProcSubset"];
    for (const option of [...namespaces, ...proc, "RestrictSUIDSGID", "MemoryDenyWriteExecute"]) {
      expect(unit).not.toContain(`\n${option}=`);
    }
  });

  test.skipIf(!requireMachine("systemd"))("is a unit that systemd takes", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "ringmaster-unit-"));
    try {
      const file = path.join(folder, "ringmaster.service");
      writeFileSync(file, unit.replace("/usr/local/bin/ringmaster start", "/bin/true"));
      const { status, stderr } = spawnSync("systemd-analyze", ["verify", file], { encoding: "utf8" });
      expect([status, stderr.includes(folder)]).toEqual([0, false]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

test("every file of deploy/ is in the guide", () => {
  const guide = read("docs/guide/deploy.md");
  for (const file of globSync("deploy/*")) expect(guide).toContain(path.basename(file));
});
