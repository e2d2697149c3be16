import { describe, expect, it } from "vitest";
import { withLineEnds } from "./save-edited";

describe("an edited file", () => {
  it("keeps the ends of line that it had", () => {
    expect(withLineEnds("a\nb\n", "x\r\ny\r\n")).toBe("a\r\nb\r\n");
    expect(withLineEnds("a\nb\n", "x\ny")).toBe("a\nb\n");
  });
});
