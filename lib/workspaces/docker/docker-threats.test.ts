import { afterAll, describe, expect, test, vi } from "vitest";
import { describeExecution } from "@/lib/testing/contracts/sandbox-execution";
import { testSkills } from "@/lib/testing/contracts/sandbox-skills";
import { testThreats } from "@/lib/testing/contracts/sandbox-threats";
import { startContainerEngine } from "@/lib/testing/engines/container-engine";
import { createSandboxFixture } from "@/lib/testing/fixtures/sandbox-fixture";
import type { SandboxProbe } from "@/lib/workspaces/sandbox/probe-sandbox";
import { createDockerBackend } from "./docker-backend";

const engine = await startContainerEngine();
const backend = createDockerBackend({ socketPath: engine?.socketPath ?? "", runtime: null, installation: "threats" });
const sandbox: SandboxProbe = {
  available: true,
  reason: null,
  remedy: null,
  mode: "docker",
  ripgrep: false,
  backend,
};
const options = { sandbox, image: engine?.image ?? "" };
const fixture = await createSandboxFixture(options);
const skillsFixture = await createSandboxFixture(options);
vi.stubEnv("SANDBOX_TEST_KEY", "sk-test-should-not-leak");

afterAll(async () => {
  vi.unstubAllEnvs();
  await backend.close();
  await engine?.stop();
  fixture.remove();
  skillsFixture.remove();
}, 60_000);

describe.skipIf(engine === null)("a container", { timeout: 60_000 }, () => {
  testThreats(fixture);

  test("has a network only when the agent may", async () => {
    const interfaces = "cut -d: -f1 -s /proc/net/dev | tr -d ' '";
    expect((await fixture.run(interfaces)).output).toBe("lo\n");
    expect((await fixture.run(interfaces, { network: true })).output).toMatch(/eth0/);
  });

  test("runs commands as a user that is neither root nor the server's", async () => {
    const { output } = await fixture.run("id -u; id -g; touch x; stat -c %u x");
    const ids = output.trim().split("\n").map(Number);
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toBeGreaterThanOrEqual(20_000);
  });
});

describe.skipIf(engine === null)("in a container", { timeout: 60_000 }, () => describeExecution(fixture));

describe.skipIf(engine === null)("installed skills in a container", { timeout: 60_000 }, () =>
  testSkills(skillsFixture),
);
