import { expect, test } from "vitest";
import { type ScheduleForm, waysOf, withWays } from "./schedule-form";

test("the ways that are switched here change, a chat that was chosen by its id and a webhook stay", () => {
  const deliver: ScheduleForm["deliver"] = [{ channel: "lnk_1" }, { webhook: "wh_1" }, { channel: "last" }];
  const form = { deliver } as ScheduleForm;
  expect(waysOf(form)).toEqual(["channel"]);
  expect(withWays(form, ["notify"])).toEqual([{ channel: "lnk_1" }, { webhook: "wh_1" }, { notify: true }]);
  expect(withWays({ ...form, deliver: [] }, ["channel"])).toEqual([{ channel: "last" }]);
});
