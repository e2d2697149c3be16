import { expect, test } from "vitest";
import { converseWithDemo, DEMO_TOOLS } from "@/lib/testing/servers/converse-with-demo";

const beat = async (tasks: string, said = "") => {
  const text = `This is a heartbeat. Look after what HEARTBEAT.md says.\n\n<heartbeat_file>\n${tasks}\n</heartbeat_file>${said}`;
  const { answer, calls } = await converseWithDemo(text, () => "ok", DEMO_TOOLS);
  expect(calls).toEqual([]);
  return answer;
};

test("a beat says what a line of HEARTBEAT.md tells it to, once, and else nothing", async () => {
  expect(await beat("# Tasks\n- tell me that two invoices came in\n- CI of main")).toBe("Two invoices came in.");
  const said = "\n\nYou said last:\n\n<said>\n23 Nov, 14:00\nTwo invoices came in.\n</said>";
  expect(await beat("- tell me that two invoices came in", said)).toBe("NO_REPLY");
  expect(await beat("- reviews that wait")).toBe("NO_REPLY");
});

test("the help names the line", async () => {
  const { answer } = await converseWithDemo("What can you do?", () => "ok", DEMO_TOOLS);
  expect(answer).toContain("- tell me that two invoices came in");
});
