import { expect, test } from "vitest";
import { textOfBlocks } from "./slack-blocks";

const section = (text: string) => ({ type: "rich_text_section", elements: [{ type: "text", text }] });

test.each<[string, unknown[], string]>([
  [
    "a date",
    [
      {
        type: "rich_text",
        elements: [
          {
            type: "rich_text_section",
            elements: [
              { type: "text", text: "On " },
              { type: "date", timestamp: 1, format: "{date}", fallback: "2 March" },
            ],
          },
        ],
      },
    ],
    "On 2 March",
  ],
  [
    "a table",
    [
      {
        type: "table",
        rows: [
          [
            { type: "raw_text", text: "a" },
            { type: "raw_text", text: "b" },
          ],
          [
            { type: "raw_text", text: "1" },
            { type: "rich_text", elements: [{ type: "rich_text_section", elements: [{ type: "text", text: "2" }] }] },
          ],
        ],
      },
    ],
    "a | b\n1 | 2",
  ],
  [
    "a film",
    [
      {
        type: "video",
        title: { type: "plain_text", text: "Demo" },
        description: { type: "plain_text", text: "Two minutes" },
        alt_text: "x",
      },
    ],
    "Demo\nTwo minutes",
  ],
  [
    "a list with a list in it, the inner one numbered",
    [
      {
        type: "rich_text",
        elements: [
          { type: "rich_text_list", style: "bullet", indent: 0, elements: [section("one")] },
          {
            type: "rich_text_list",
            style: "ordered",
            indent: 1,
            offset: 2,
            elements: [section("two"), section("three")],
          },
        ],
      },
    ],
    "• one\n  3. two\n  4. three",
  ],
  [
    "people, groups and channels that are named",
    [
      {
        type: "rich_text_section",
        elements: [
          { type: "user", user_id: "U1" },
          { type: "text", text: " " },
          { type: "usergroup", usergroup_id: "S1" },
          { type: "text", text: " " },
          { type: "channel", channel_id: "C1" },
          { type: "broadcast", range: "here" },
        ],
      },
    ],
    "<@U1> <!subteam^S1> <#C1><!here>",
  ],
  ["a field of a form", [{ type: "input", label: { type: "plain_text", text: "Reason" }, element: {} }], "Reason"],
  [
    "a section beside a button",
    [
      {
        type: "section",
        text: { type: "mrkdwn", text: "Ready?" },
        accessory: { type: "button", text: { type: "plain_text", text: "Yes" } },
      },
    ],
    "Ready?\nYes",
  ],
  [
    "a kind of next year",
    [{ type: "task_card", title: "Ship it", elements: [{ type: "text", text: "today" }] }],
    "Ship it\ntoday",
  ],
])("reads %s in blocks", (_, blocks, text) => {
  expect(textOfBlocks(blocks)).toBe(text);
});
