import { afterAll, describe } from "vitest";
import { testSkills } from "@/lib/testing/contracts/sandbox-skills";
import { createSandboxFixture } from "@/lib/testing/fixtures/sandbox-fixture";
import { requireMachine } from "@/lib/testing/setup/require-machine";

const ready = requireMachine("linux", "bubblewrap");
const fixture = await createSandboxFixture();
afterAll(fixture.remove);

describe.skipIf(!ready)("installed skills in the sandbox", () => testSkills(fixture));
