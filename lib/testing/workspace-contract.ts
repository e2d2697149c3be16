import { describe } from "vitest";
import { describeListing, describeReading, describeRefusals } from "./contract-files";
import { describeGlob, describeGlobLimits } from "./contract-glob";
import { describeExpressions, describeGrep, describeGrepLimits } from "./contract-grep";
import { type CreateWorkspace, contractTools } from "./contract-tools";

/** What every workspace has to do. `create` gives an empty one whose files may have 1 MB and together 2 MB. */
export function workspaceContract(name: string, create: CreateWorkspace): void {
  describe(`${name}: files`, () => {
    const tools = contractTools(create);
    describeReading(tools);
    describeListing(tools);
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
