import { expect, test } from "vitest";
import { config } from "./proxy";

const PATTERN = new RegExp(`^${config.matcher[0]?.source}$`, "u");
const isPage = (path: string) => PATTERN.test(path);

test("every page has the policy, also those that do not exist under a name like an API's", () => {
  for (const path of ["/", "/threads/th_1", "/agentsx", "/agents-of-mine", "/healthy", "/v1x", "/api", "/iconsX"]) {
    expect(isPage(path), path).toBe(true);
  }
});

test("APIs and the files that Next serves set their own headers", () => {
  for (const path of [
    "/api/threads",
    "/agents",
    "/agents/a/files/upload",
    "/v1/models",
    "/health",
    "/icons/icon.svg",
    "/manifest.webmanifest",
    "/sw.js",
  ]) {
    expect(isPage(path), path).toBe(false);
  }
  expect(isPage("/_next/static/chunks/a.js")).toBe(false);
});
