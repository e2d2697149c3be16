import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe } from "vitest";
import { installedSkillsContract, workspaceContract } from "@/lib/testing/contracts/workspace-contract";
import { createMemoryFileStore } from "@/lib/testing/files/memory-file-store";
import { createTestLibrary } from "@/lib/testing/files/test-skill-library";
import { requireMachine } from "@/lib/testing/setup/require-machine";
import { WORKSPACE_LIMITS } from "./limits";
import { createLocalWorkspace } from "./local/local-workspace";
import { mountSkills } from "./mount-skills";
import { probeSandbox } from "./sandbox/probe-sandbox";
import { createStateWorkspace } from "./state-workspace";

const limits = { ...WORKSPACE_LIMITS, fileBytes: 2 ** 20, quotaBytes: 2 * 2 ** 20 };
const base = mkdtempSync(join(tmpdir(), "ringmaster-contract-"));
const probe = await probeSandbox();
let count = 0;

afterAll(() => rmSync(base, { recursive: true, force: true }));

function local(ripgrep: boolean) {
  count += 1;
  return createLocalWorkspace({ root: join(base, String(count)), sandbox: { ...probe, ripgrep }, limits });
}

describe("workspaces", () => {
  workspaceContract("state", () => createStateWorkspace(createMemoryFileStore(), limits));
  installedSkillsContract("state with installed skills", () =>
    mountSkills(createStateWorkspace(createMemoryFileStore(), limits), createTestLibrary()),
  );
});

describe.skipIf(!requireMachine("linux"))("local workspaces", () => {
  workspaceContract("local, searched here", () => local(false));
  installedSkillsContract("local with installed skills", () => mountSkills(local(false), createTestLibrary()));
});

describe.skipIf(!requireMachine("linux", "bubblewrap", "ripgrep"))("local workspaces with a sandbox", () => {
  workspaceContract("local, searched by ripgrep", () => local(true));
  installedSkillsContract("local with installed skills, by ripgrep", () =>
    mountSkills(local(true), createTestLibrary()),
  );
});
