import { expect, it } from "vitest";
import { HeartbeatConfig } from "@/lib/schema/triggers/heartbeat-config";
import { fieldAt } from "./field-labels";
import { checksFrom, checkWord } from "./heartbeat-fields";

it("writes checks as words, and words as the checks that the config takes", () => {
  const typed = checksFrom(["inbox/**", "inbound", "http:ci_state"]);
  expect(HeartbeatConfig.parse({ when: typed }).when).toEqual([
    { file: "inbox/**" },
    { inbound: true },
    { http: "ci_state", args: {} },
  ]);
  expect((typed as unknown[]).map(checkWord)).toEqual(["inbox/**", "inbound", "http:ci_state"]);
  const known = [{ http: "ci_state", args: { branch: "main" } }, "a.txt"];
  expect(checksFrom(known)).toEqual([{ http: "ci_state", args: { branch: "main" } }, { file: "a.txt" }]);
});

it("finds the field inside of the block before the block", () => {
  expect(fieldAt(["heartbeat", "every"])?.field.path).toEqual(["heartbeat", "every"]);
  expect(fieldAt(["heartbeat", "when", "0", "file"])?.field.path).toEqual(["heartbeat", "when"]);
  expect(fieldAt(["heartbeat", "deliver"])?.field.path).toEqual(["heartbeat"]);
});
