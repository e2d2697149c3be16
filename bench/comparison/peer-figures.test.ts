import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { PeerFigures, peerConditions, peerTable, withPeerTable } from "./peer-figures";

const recorded = PeerFigures.parse(JSON.parse(readFileSync("bench/peers/figures.json", "utf8")));

describe("the figures beside others", () => {
  test.each(["README.md", "docs/design/performance.md"])("of %s are those last recorded", (file) => {
    const text = readFileSync(file, "utf8");
    expect(withPeerTable(text, recorded)).toBe(text);
  });

  test("are of the versions that bench/peers installs", () => {
    const versionsOf = (name: string) =>
      JSON.parse(readFileSync(`bench/peers/${name}/package.json`, "utf8")).dependencies;
    const names = recorded.places.map(({ name }) => name).join();
    expect(names).toContain(`OpenAI Agents ${minor(versionsOf("openai-agents")["@openai/agents"])}`);
    expect(names).toContain(`Mastra ${minor(versionsOf("mastra")["@mastra/core"])}`);
    expect(names).toContain(`deepagents ${minor(versionsOf("deepagents").deepagents)}`);
  });

  test("are rows of a table, with a dash for what there is not", () => {
    const place = {
      name: "x",
      stores: "",
      msPerStep: 1.26,
      timesFetch: 2,
      cpuMsPerStep: 0.51,
      installedMb: 12,
      restMb: null,
    };
    const [, , row] = peerTable({ ...recorded, places: [place] }).split("\n");
    expect(row).toBe("| x | 1.3 | 0.5 | 2.0 | nothing | 12 MB | – |");
    expect(peerConditions({ ...recorded, load: 7.25 })).toContain("load 7.3");
  });

  test("replace only what stands between the marks", () => {
    const text = "before\n<!-- npm run bench:peers -->\nold\n<!-- end of npm run bench:peers -->\nafter";
    const replaced = withPeerTable(text, recorded);
    expect(replaced).not.toContain("old");
    expect([replaced.startsWith("before\n"), replaced.endsWith("\nafter")]).toEqual([true, true]);
    expect(() => withPeerTable("no marks", recorded)).toThrow("There is no");
  });
});

function minor(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}
