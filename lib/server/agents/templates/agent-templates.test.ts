import { expect, test } from "vitest";
import { readConfigYaml, requireConfig } from "@/lib/server/agents/config/read-config";
import { withoutDatabase } from "@/lib/testing/databases/services-of";
import { TEMPLATE_TEXTS } from "./template-texts";

const configs = Object.entries(TEMPLATE_TEXTS).map(([id, yaml]) => ({
  id,
  yaml,
  ...readConfigYaml(withoutDatabase, yaml),
}));

test.each(configs)("$id is a valid config with comments", ({ config, problems, yaml }) => {
  expect([problems, config?.name === undefined, yaml.includes("# ")]).toEqual([[], false, true]);
});

test("each does what it is named for", () => {
  const [assistant, coder, researcher, analyst] = configs.map((read) => requireConfig(read));
  expect(assistant?.memory.paths).toEqual(["AGENTS.md"]);
  expect([coder?.backend?.type, coder?.permissions]).toMatchObject(["local", { enabled: true, ask: ["execute"] }]);
  expect(researcher?.subagents.length).toBe(2);
  expect([analyst?.backend?.type, analyst?.permissions.deny.length]).toEqual(["local", 2]);
});
