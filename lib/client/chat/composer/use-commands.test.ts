import { expect, test } from "vitest";
import { describeCommand, isTypedCommand } from "./use-commands";

test.each([
  ["/stop", true],
  [" /StopAll\n", true],
  ["/compact", true],
  ["/new", true],
  ["/compact now", false],
  ["stop", false],
  ["/stopping", false],
])("%j is a command: %s", (content, expected) => {
  expect(isTypedCommand(content)).toBe(expected);
});

test("describes in a sentence what a command did", () => {
  const compaction = { compacted: 48, kept: 4, tokensBefore: 9, tokensAfter: 3, estimated: true as const };
  expect([
    describeCommand({ command: "stop", cancelled: 0 }),
    describeCommand({ command: "stop", cancelled: 1, held: 2 }),
    describeCommand({ command: "stopall", cancelled: 3, held: 1 }),
    describeCommand({ command: "compact", compaction }),
    describeCommand({ command: "compact", compaction: { ...compaction, compacted: 1, kept: 1 } }),
    describeCommand({ command: "compact", compaction: { ...compaction, compacted: 0 } }),
    describeCommand({ command: "compact", compaction: { ...compaction, compacted: 0, dropped: true } }),
  ]).toEqual([
    "Nothing was running.",
    "Stopped 1 run. 2 queued messages are held.",
    "Stopped 3 runs. 1 queued message is held.",
    "Summarised 48 messages; the last 4 stay as they are.",
    "Summarised 1 message; the last one stays as it is.",
    "There is nothing to summarise yet.",
    "Nothing to gain: a summary would not have been shorter, so everything stays as it is.",
  ]);
});
