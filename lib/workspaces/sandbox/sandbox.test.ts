import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { testThreats } from "@/lib/testing/contracts/sandbox-threats";
import { createSandboxFixture } from "@/lib/testing/fixtures/sandbox-fixture";
import { requireMachine } from "@/lib/testing/setup/require-machine";

const ready = requireMachine("linux", "bubblewrap", "ripgrep", "python3");
const fixture = await createSandboxFixture();
const { base, probe, remove, run } = fixture;
vi.stubEnv("SANDBOX_TEST_KEY", "sk-test-should-not-leak");

afterAll(() => {
  vi.unstubAllEnvs();
  remove();
});

describe.skipIf(!ready)("the sandbox", () => {
  testThreats(fixture);

  test("is found by running it", () => {
    expect(probe).toMatchObject({ available: true, reason: null, mode: "bubblewrap", ripgrep: true });
  });

  test("has users and groups of its own", async () => {
    const { output } = await run("id; cat /etc/passwd /etc/group; whoami");
    expect(output).toContain("uid=1000(agent) gid=1000(agent)");
    expect(output).not.toContain("root");
  });

  test("reaches the machine's network only when the agent may", async () => {
    const server = createServer((socket) => socket.end("hello")).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const command = `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`;
    expect((await run(command, { network: true })).output).toBe("hello");
    expect((await run(command)).output).toContain("Connection refused");
    server.close();
  });

  test.skipIf(!requireMachine("root"))("gives each workspace its own user when the server is root", async () => {
    const ids = await Promise.all([
      run("id -u", { root: join(base, "data", "one") }),
      run("id -u", { root: join(base, "data", "two") }),
    ]);
    expect(ids.map((result) => result.output)).toEqual(["1000\n", "1000\n"]);
    const owners = spawnSync("stat", ["-c", "%u", join(base, "data", "one"), join(base, "data", "two")]);
    const [one, two] = owners.stdout.toString().trim().split("\n").map(Number);
    expect(one).toBeGreaterThanOrEqual(20_000);
    expect(two).toBeGreaterThanOrEqual(20_000);
    expect(one).not.toBe(two);
  });
});
