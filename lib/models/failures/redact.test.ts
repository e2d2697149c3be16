import { describe, expect, it } from "vitest";
import { createRedactor, secretsOf, visibleAddress } from "./redact";

describe("createRedactor", () => {
  it("removes every key wherever it occurs, longer keys first", () => {
    const redact = createRedactor(["sk-12345678", "sk-12345678-more", "abcdef"]);
    expect(redact("sk-12345678-more, sk-12345678 and abcdefg")).toBe("[redacted], [redacted] and [redacted]g");
  });

  it("leaves words alone that are too short to be keys", () => {
    expect(createRedactor(["", "a", "none"])("none of a kind")).toBe("none of a kind");
  });
});

describe("addresses", () => {
  it("are shown without credentials", () => {
    expect(visibleAddress("http://me:pass-word@host:1/v1")).toBe("http://host:1/v1");
    expect(visibleAddress("http://host:1/v1?x=a@b")).toBe("http://host:1/v1?x=a@b");
  });

  it("reveal what has to be redacted", () => {
    expect(secretsOf("http://me:pass-word@host/v1")).toEqual(["me:pass-word", "pass-word"]);
    expect(secretsOf("http://host/v1")).toEqual([]);
  });
});
