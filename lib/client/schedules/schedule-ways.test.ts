import { expect, test } from "vitest";
import type { Schedule } from "@/lib/schema/triggers/schedule";
import { waysOf, withWays } from "./schedule-form";

test("the ways that are switched here change, a chat that was chosen by its id and a webhook stay", () => {
  const deliver: Schedule["deliver"] = [{ channel: "lnk_1" }, { webhook: "wh_1" }, { channel: "last" }];
  expect(waysOf(deliver)).toEqual(["channel"]);
  expect(withWays(deliver, ["notify"])).toEqual([{ channel: "lnk_1" }, { webhook: "wh_1" }, { notify: true }]);
  expect(withWays([], ["channel"])).toEqual([{ channel: "last" }]);
});
