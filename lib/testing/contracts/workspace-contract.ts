import { describe } from "vitest";
import type { WorkspaceEntry } from "@/lib/agent/workspace/workspace";
import { describeListing, describeReading, describeRefusals } from "@/lib/testing/contracts/contract-files";
import { describeGlob, describeGlobLimits } from "@/lib/testing/contracts/contract-glob";
import { describeExpressions, describeGrep, describeGrepLimits } from "@/lib/testing/contracts/contract-grep";
import { describeInstalledSkills, describeSkillSearch } from "@/lib/testing/contracts/contract-skills";
import { type CreateWorkspace, contractTools } from "@/lib/testing/contracts/contract-tools";

/** Additional requirements for a workspace with the installed skills of `testSkillLibrary`. */
export function installedSkillsContract(name: string, create: CreateWorkspace): void {
  workspaceContract(name, create, [{ name: "skills", type: "dir", size: 0 }]);
  describe(`${name}: installed skills`, () => {
    const tools = contractTools(create);
    describeInstalledSkills(tools);
    describeSkillSearch(tools);
  });
}

/**
 * The requirements for every workspace. `create` returns an empty one with a limit of 1 MB per file and 2 MB in total;
 * `always` are the entries that its root has nonetheless.
 */
export function workspaceContract(name: string, create: CreateWorkspace, always: readonly WorkspaceEntry[] = []): void {
  describe(`${name}: files`, () => {
    const tools = contractTools(create);
    describeReading(tools);
    describeListing(tools, always);
    describeRefusals(tools);
  });
  describe(`${name}: glob`, () => {
    const tools = contractTools(create);
    describeGlob(tools);
    describeGlobLimits(tools);
  });
  describe(`${name}: grep`, () => {
    const tools = contractTools(create);
    describeGrep(tools);
    describeExpressions(tools);
    describeGrepLimits(tools);
  });
}
