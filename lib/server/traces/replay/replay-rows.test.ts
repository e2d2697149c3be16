import { expect, test } from "vitest";
import type { ReplayCell } from "@/lib/schema/traces/replay";
import { totalOf, whyOf } from "./replay-rows";

const cells = (text: string): ReplayCell[] =>
  [...text].map(
    (sign) =>
      (({ "=": "same", x: "differs", "-": "missing", "+": "new", ".": "absent" })[sign] ?? "open") as ReplayCell,
  );

test.each([
  ["===", "===", "same"],
  ["===", "xxx", "change"],
  ["...", "+++", "change"],
  ["===", "x=x", "unknown"],
  ["x==", "x==", "chance"],
  ["xx=", "x==", "chance"],
  ["x==", "xx=", "unknown"],
  ["x==", "xxx", "unknown"],
  ["", "xxx", "unknown"],
  ["x==", "", "chance"],
  ["=??", "x??", "change"],
  ["???", "xxx", "unknown"],
  ["===", "???", "unknown"],
  ["???", "", "same"],
])("unchanged %s and changed %s: %s", (unchanged, changed, why) => {
  expect(whyOf(cells(unchanged), cells(changed))).toBe(why);
});

test("ranges of cost and time are apart, the same, or overlap; unknown figures are left out", () => {
  const total = (unchanged: (number | null)[], changed: (number | null)[]) =>
    totalOf({ what: "cost", recorded: 1, unchanged, changed });
  expect(total([2, 3], [0.5, 1, null])).toMatchObject({
    unchanged: { from: 2, to: 3 },
    changed: { from: 0.5, to: 1 },
    why: "change",
  });
  expect(total([2, 3], [2.5, 9]).why).toBe("unknown");
  expect(total([2], [2]).why).toBe("same");
  expect(total([2], [9]).why).toBe("unknown");
  expect(total([null], [2])).toMatchObject({ unchanged: null, why: "unknown" });
});
