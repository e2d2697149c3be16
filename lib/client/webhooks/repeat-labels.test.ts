import { expect, test } from "vitest";
import { repeatText } from "./repeat-labels";

test("the page says what counts as a repeat", () => {
  const words = (signature: "standard" | "github", repeats: "known" | "allow") =>
    repeatText({ signature, repeats, repeatWindow: "10m" });
  expect(words("standard", "known")).toContain("the same webhook-id");
  expect(words("github", "known")).toMatch(/^For 7 days a request with the same body is a repeat/);
  expect(words("github", "allow")).toMatch(/is a repeat for 10m, then it starts again/);
});
