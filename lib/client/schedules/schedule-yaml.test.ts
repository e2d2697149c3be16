import { expect, test } from "vitest";
import { parse } from "yaml";
import { ScheduleConfig } from "@/lib/schema/triggers/schedule-config";
import { formOf, toFields } from "./schedule-form";
import { yamlLines } from "./schedule-yaml";

const start = { prompt: 'Say "hello":\n\n- to Ada\n- 100 % sure', agentId: "analyst" };
const form = {
  ...formOf(null, start),
  name: "yes",
  timezone: "Europe/Berlin",
  budget: { run_usd: "0.2", day_usd: "" },
};
const fields = toFields(form, { cron: "0 9 * * 1-5" });
const textOf = (lines: ReturnType<typeof yamlLines>) => lines.map(({ text }) => text).join("\n");

test("the YAML is the schedule as an agent's config takes it", () => {
  const allow = [{ tool: "execute", args: { command: "ls" } }];
  const read = ScheduleConfig.parse(parse(textOf(yamlLines({ ...fields, allow }, null)))[0]);
  const { allow: _allow, deny: _deny, ...expected } = fields;
  expect(read).toMatchObject(expected);
});

test("only what the stored schedule does not say is marked", () => {
  const changed = toFields({ ...form, grace: "30m", thread: "same" }, { cron: "0 10 * * 1-5" });
  const marked = yamlLines(changed, fields).filter(({ isChanged }) => isChanged);
  expect(marked.map(({ text }) => text.trim())).toEqual(['cron: "0 10 * * 1-5"', "thread: same", "grace: 30m"]);
  expect(yamlLines(changed, null).some(({ isChanged }) => isChanged)).toBe(false);
});
