import { expect, test } from "vitest";
import { nearestName } from "./nearest-name";

test("the nearest of the known names is the one that was meant", () => {
  expect(nearestName("--prot", ["--help", "--port", "--data"])).toBe("--port");
  expect(nearestName("sittin", ["mitten", "sitting"])).toBe("sitting");
  expect(nearestName("anything", [])).toBeUndefined();
});

test("a name that resembles none has no nearest one", () => {
  expect(nearestName("limit", ["origin", "score"])).toBeUndefined();
  expect(nearestName("x".repeat(300), ["origin", "score"])).toBeUndefined();
});

test("upper and lower case don't matter", () => {
  expect(nearestName("--PORT", ["--help", "--data", "--port", "--host"])).toBe("--port");
  expect(nearestName("ORIGIN", ["score", "ONION", "origin"])).toBe("origin");
});
