import { expect, test } from "vitest";
import { findClientAddress } from "./client-address";

const PROXIES = ["127.0.0.1", "10.0.0.0/8", "fd00::/8"];

test("what a client writes into the header does not change who it is", () => {
  expect(findClientAddress("203.0.113.9", "198.51.100.1", [])).toBe("203.0.113.9");
  expect(findClientAddress("203.0.113.9", "198.51.100.1, 127.0.0.1", PROXIES)).toBe("203.0.113.9");
});

test("a trusted proxy names its client, and what stands before that entry is the client's own claim", () => {
  expect(findClientAddress("127.0.0.1", "203.0.113.9", PROXIES)).toBe("203.0.113.9");
  expect(findClientAddress("127.0.0.1", "198.51.100.1, 203.0.113.9, 10.1.2.3", PROXIES)).toBe("203.0.113.9");
  expect(findClientAddress("fd00::5", "2001:db8::1", PROXIES)).toBe("2001:db8::1");
});

test("a proxy seen through an IPv6 socket is the same proxy", () => {
  expect(findClientAddress("::ffff:127.0.0.1", "203.0.113.9", PROXIES)).toBe("203.0.113.9");
  expect(findClientAddress("::ffff:203.0.113.9", "", PROXIES)).toBe("203.0.113.9");
});

test("an entry that is not an address ends the chain at the proxy that wrote it", () => {
  expect(findClientAddress("127.0.0.1", "unknown", PROXIES)).toBe("127.0.0.1");
  expect(findClientAddress("127.0.0.1", "", PROXIES)).toBe("127.0.0.1");
});
