import { expect, test } from "vitest";
import { z } from "zod";
import { pageCursors, pageOfRows, timeCursors } from "./page-of-rows";

test.each([
  [2, ["a", "b"], null],
  [3, ["a", "b", "c"], null],
  [4, ["a", "b", "c"], "after c"],
])("of %i rows read for a page of three come %j with the cursor %j", (count, page, nextCursor) => {
  const rows = ["a", "b", "c", "d"].slice(0, count);
  expect(pageOfRows(rows, 3, (last) => `after ${last}`)).toEqual({ page, nextCursor });
});

test.each(["nonsense", "", "W10", Buffer.from('["yesterday","x"]').toString("base64url")])(
  "a cursor that no page gave is refused: %j",
  (cursor) => {
    expect(() => timeCursors.behind(cursor, "createdAt", "ascending")).toThrow(
      "cursor: Use the nextCursor of the page",
    );
    expect(() => pageCursors(z.tuple([z.boolean()])).read(cursor)).toThrow("cursor: Use the nextCursor");
  },
);

test("the rows behind a cursor are those of a later time, and of the same time those with a later id", () => {
  const time = new Date("2026-01-02T03:04:05.678Z");
  const cursor = timeCursors.write(time, "x");
  expect(timeCursors.behind(cursor, "createdAt", "ascending")).toEqual({
    OR: [{ createdAt: { gt: time } }, { createdAt: time, id: { gt: "x" } }],
  });
  expect(timeCursors.behind(undefined, "createdAt", "descending")).toEqual({});
});
