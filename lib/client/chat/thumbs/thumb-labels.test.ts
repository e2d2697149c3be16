import { expect, test } from "vitest";
import { joinReason, splitReason } from "./thumb-labels";

test("reasons and note are read again as they were chosen and written", () => {
  for (const reason of [
    { reasons: ["Not true", "Too long"], note: "The file comes sorted, as said.\nA counter is not needed." },
    { reasons: ["Something else"], note: "" },
    { reasons: [], note: "It names the wrong town, Bern" },
    { reasons: [], note: "" },
  ]) {
    expect(splitReason(joinReason(reason))).toEqual(reason);
  }
});

test("a reason that another program wrote is the note", () => {
  expect(splitReason("Not true, and rude")).toEqual({ reasons: [], note: "Not true, and rude" });
  expect(splitReason(null)).toEqual({ reasons: [], note: "" });
});
