import { describe, expect, test } from "vitest";
import { isSame, readListing } from "./remote-tree";

const at = (changed: string, now: string, rest = "81a4 7 5") =>
  readListing(`now ${now}\n${rest} ${changed} ./a`).entries.get("a") ?? null;

describe("a listing", () => {
  test("has files, folders and links, and nothing else", () => {
    const lines = ["now 100", "41ed 1 4096 90.5 .", "81a4 2 5 90.5 ./a b", "41ed 3 0 90.5 ./d", "a1ff 4 3 90.5 ./d/l"];
    const odd = ["11a4 5 0 90.5 ./fifo", "21a4 6 0 90.5 ./device", "c1a4 7 0 90.5 ./socket"];
    const { entries, memoryKills } = readListing([...lines, ...odd, "oom_kill 3", ""].join("\n"));
    expect([...entries].map(([path, { kind }]) => [path, kind])).toEqual([
      ["a b", "file"],
      ["d", "folder"],
      ["d/l", "link"],
    ]);
    expect(memoryKills).toBe(3);
  });

  test.each(["../x", "a/../x", "/etc/x", "a//x"])(
    "has no entry for the name %j, which a command may have made up",
    (name) => {
      expect(readListing(`now 1\n81a4 1 5 0.5 ./${name}`).entries.size).toBe(0);
    },
  );

  test("shows a change of content, permissions or kind", () => {
    const before = at("90.5", "100") ?? undefined;
    for (const after of [at("90.6", "100"), at("90.5", "100", "81ed 7 5"), at("90.5", "100", "81a4 7 6")]) {
      expect(after && isSame(before, after)).toBe(false);
    }
    const same = at("90.5", "500");
    expect(same && isSame(before, same)).toBe(true);
  });

  test("trusts whole seconds only once they are over, and never this machine's clock", () => {
    const young = at("100", "100") ?? undefined;
    const old = at("99", "100") ?? undefined;
    const [later, same] = [at("100", "200"), at("99", "200")];
    expect(later && isSame(young, later)).toBe(false);
    expect(same && isSame(old, same)).toBe(true);
    const future = at("9999999999.25", "100") ?? undefined;
    const still = at("9999999999.25", "200");
    expect(still && isSame(future, still)).toBe(true);
  });
});
