import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { projectDirectory } from "../project-directory";

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

const SERVER = `
  const { endWithLauncher } = await import(${JSON.stringify(path.join(projectDirectory, "scripts/server/watch-launcher.ts"))});
  endWithLauncher();
  process.on("SIGTERM", () => { console.log("stopped"); process.exit(0); });
  console.log("pid " + process.pid);
  setInterval(() => console.log("at work"), 200);
`;

/** What npm does: a process, in it a shell that waits for ours. What ours says comes out of \`said\`. */
function startAsNpm(environment: Readonly<Record<string, string>>) {
  const node = [process.execPath, "--input-type=module", "-e", SERVER].map(
    (part) => `'${part.replaceAll("'", `'\\''`)}'`,
  );
  const shell = `${node.join(" ")}; :`;
  const npm = `require("node:child_process").spawn("sh", ["-c", ${JSON.stringify(shell)}], { stdio: "inherit" });`;
  const child = spawn(process.execPath, ["-e", npm], {
    env: { PATH: process.env.PATH ?? "", NODE_ENV: "test", ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  started.push(child);
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  return { child, said: () => text };
}

const LONG = { timeout: 10_000 };

test("the server ends as by SIGTERM when the npm that started it is killed", async () => {
  const { child, said } = startAsNpm({ npm_lifecycle_event: "start" });
  await expect.poll(said, LONG).toMatch(/^pid \d+\n/u);
  child.kill("SIGKILL");
  await expect.poll(said, LONG).toContain("stopped");
});

test("without npm it outlives what started it", async () => {
  const { child, said } = startAsNpm({});
  await expect.poll(said, LONG).toMatch(/^pid \d+\n/u);
  const pid = Number(/\d+/u.exec(said())?.[0]);
  child.kill("SIGKILL");
  await expect.poll(said, LONG).toMatch(/(?:at work\n){5}$/u);
  process.kill(pid, "SIGTERM");
  await expect.poll(said, LONG).toContain("stopped");
});
