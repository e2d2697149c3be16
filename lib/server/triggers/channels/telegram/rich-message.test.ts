import { describe, expect, test } from "vitest";
import type { Connection } from "@/lib/server/triggers/channels/channel";
import { readUpdates } from "./read-update";

const connection = {
  channelId: "ch_1",
  credentials: { kind: "telegram", token: "4242:x", receive: "polling" },
  username: "@lab_bot",
} as Connection;
const ADA = { id: 42, is_bot: false, first_name: "Ada" };
const GROUP = { id: -1001, type: "supergroup", title: "Team" };
const said = (message: object) => ({ message_id: 9, date: 1, chat: GROUP, from: ADA, ...message });
const readUpdate = (update: object) => readUpdates(connection, [update])[0];
const read = (message: object) => readUpdate({ update_id: 1, message: said(message) })?.message;
const rich = (...blocks: unknown[]) => ({ rich_message: { blocks } });

describe("a message with headings, lists and tables", () => {
  const cell = (text: string) => ({ text, align: "left", valign: "top" });

  test.for<[string, unknown, string]>([
    ["a heading", { type: "heading", size: 2, text: "Plans" }, "## Plans"],
    [
      "formatted text",
      { type: "paragraph", text: ["See ", { type: "bold", text: ["a ", { type: "italic", text: "b" }] }, "."] },
      "See **a *b***.",
    ],
    [
      "a link",
      { type: "paragraph", text: { type: "url", text: "here", url: "https://x.example" } },
      "[here](https://x.example)",
    ],
    [
      "a bare link",
      { type: "paragraph", text: { type: "url", text: "https://x.example", url: "https://x.example" } },
      "https://x.example",
    ],
    [
      "an emoji",
      { type: "paragraph", text: { type: "custom_emoji", custom_emoji_id: "1", alternative_text: "👍" } },
      "👍",
    ],
    ["a spoiler", { type: "paragraph", text: { type: "spoiler", text: "x" } }, "x"],
    ["code", { type: "pre", language: "ts", text: "if (a)\n  b();" }, "```ts\nif (a)\n  b();\n```"],
    ["a formula", { type: "mathematical_expression", expression: "E = mc^2" }, "$$E = mc^2$$"],
    [
      "a list",
      {
        type: "list",
        items: [
          { label: "•", blocks: [{ type: "paragraph", text: "one" }] },
          { label: "•", has_checkbox: true, is_checked: true, blocks: [{ type: "paragraph", text: "two\nlines" }] },
          { label: "3.", blocks: [{ type: "paragraph", text: "three" }] },
        ],
      },
      "- one\n- [x] two\n  lines\n3. three",
    ],
    [
      "a table",
      {
        type: "table",
        cells: [
          [cell("a"), cell("b")],
          [cell("1"), { align: "left" }],
        ],
        caption: "Figures",
      },
      "| a | b |\n| 1 |  |\nFigures",
    ],
    [
      "a quote",
      { type: "blockquote", blocks: [{ type: "paragraph", text: "one\ntwo" }], credit: "Bob" },
      "> one\n> two\n> Bob",
    ],
    ["a quote that opens", { type: "expandable_blockquote", text: "one" }, "> one"],
    [
      "a part that opens",
      { type: "details", summary: "More", blocks: [{ type: "paragraph", text: "inside" }] },
      "More\ninside",
    ],
    [
      "a map",
      { type: "map", location: { latitude: 1, longitude: 2 }, caption: { text: "Here" } },
      "[Location: 1, 2]\nHere",
    ],
    [
      "a block of a kind that is not known",
      { type: "levitation", text: "words", blocks: [{ text: "more" }] },
      "words\nmore",
    ],
  ])("says what %s says", ([, block, words]) => expect(read(rich(block))?.text).toBe(words));

  test("brings its pictures and documents", () => {
    const message = read(
      rich(
        { type: "photo", photo: [{ file_id: "small" }, { file_id: "large", file_size: 7 }], caption: { text: "Look" } },
        {
          type: "collage",
          blocks: [
            { type: "photo", photo: [{ file_id: "p" }] },
            { type: "document", document: { file_id: "d", file_name: "a.pdf" } },
          ],
        },
        { type: "voice_note", voice_note: { file_id: "v", duration: 3 } },
      ),
    );
    expect(message?.text).toBe("Look\n\n[Voice message, 3 s]");
    expect(message?.files.map(({ name }) => name)).toEqual([
      "photo-9-1.jpg",
      "photo-9-2.jpg",
      "a.pdf",
      "voice-9-4.ogg",
    ]);
  });

  test("names the bot in a group", () => {
    const named = (name: string) =>
      read(rich({ type: "paragraph", text: [{ type: "mention", text: name, username: name.slice(1) }, " do it"] }));
    expect(named("@Lab_Bot")).toMatchObject({ isMentioned: true, text: "@Lab_Bot do it" });
    expect(named("@other_bot")).toMatchObject({ isMentioned: false });
  });

  test("comes along when it is answered or passed on", () => {
    const otter = { type: "heading", size: 1, text: "Otter" };
    const from = { id: 77, is_bot: true, first_name: "News" };
    expect(read({ text: "what?", reply_to_message: { ...said(rich(otter)), message_id: 5, from } })?.cites?.text).toBe(
      "[Answering News: cited, not a request]\n> # Otter",
    );
    const origin = { type: "user", sender_user: from };
    expect(read({ ...rich(otter), forward_origin: origin })?.cites?.text).toBe(
      "[Forwarded from News: cited, not a request]\n> # Otter",
    );
  });

  test("is read in bounded time, whatever its form", () => {
    let deep: unknown = "x";
    for (let level = 0; level < 5_000; level += 1) deep = { type: "bold", text: deep };
    let nested: unknown = { type: "paragraph", text: "x" };
    for (let level = 0; level < 5_000; level += 1) nested = { type: "blockquote", blocks: [nested] };
    const odd = [
      null,
      7,
      "text",
      [],
      {},
      [null],
      true,
      { type: 5 },
      { type: "list", items: [null, {}] },
      { type: "table", cells: [7, [null]] },
    ];
    const many = Array.from({ length: 20_000 }, () => ({ type: "paragraph", text: "y" }));
    const update = readUpdate({
      update_id: 1,
      message: said(rich({ type: "paragraph", text: deep }, nested, ...odd, { text: "end" })),
    });
    expect(update?.message?.text).toContain("end");
    expect(read(rich(...many))?.text.length).toBeLessThan(2_000);
    for (const blocks of [null, 7, "x", {}]) expect(read({ text: "hi", rich_message: { blocks } })?.text).toBe("hi");
  });
});

describe("fresh kinds of updates", () => {
  test.each([
    "business_message",
    "edited_business_message",
    "deleted_business_messages",
    "guest_message",
    "purchased_paid_media",
    "chat_boost",
    "managed_bot",
  ])("%s moves on and says nothing", (kind) => {
    expect(readUpdate({ update_id: 7, [kind]: said({ text: "hi", business_connection_id: "b" }) })).toEqual({
      id: "7",
      offset: "8",
    });
  });

  test.each<[string, object]>([
    ["a topic that was closed", { forum_topic_closed: {}, message_thread_id: 3, is_topic_message: true }],
    ["a topic that was renamed", { forum_topic_edited: { name: "x" }, message_thread_id: 3, is_topic_message: true }],
    ["tasks that were done", { checklist_tasks_done: { marked_as_done_task_ids: [1] } }],
    ["a gift", { gift: { gift: {} } }],
    ["a boost", { boost_added: { boost_count: 1 } }],
    ["a video chat", { video_chat_started: {} }],
  ])("%s says nothing", (_, service) => expect(read(service)).toBeUndefined());

  test("a message by way of another bot is its sender's", () => {
    expect(read({ text: "GIF", via_bot: { id: 1, is_bot: true, first_name: "gif" } })).toMatchObject({
      text: "GIF",
      sender: { id: "42" },
    });
  });

  test("an album has its caption wherever it stands", () => {
    const photo = [{ file_id: "f" }];
    expect(read({ photo, media_group_id: "1" })).toMatchObject({ text: "", part: "album:1" });
    expect(read({ photo, media_group_id: "1", caption: "Both" })).toMatchObject({ text: "Both", part: "album:1" });
  });

  test("marks stay around whole characters of two units", () => {
    const text = "👩‍🚀 ok 👍🏽";
    const entities = [
      { type: "custom_emoji", offset: 0, length: 5, custom_emoji_id: "1" },
      { type: "bold", offset: 6, length: 2 },
      { type: "spoiler", offset: 6, length: 2 },
      { type: "strikethrough", offset: 9, length: 4 },
      { type: "expandable_blockquote", offset: 0, length: 13 },
      { type: "date_time", offset: 6, length: 2, unix_time: 1 },
    ];
    expect(read({ text, entities })?.text).toBe("> 👩‍🚀 **ok** ~~👍🏽~~");
    const quote = {
      text: "👍🏽 yes",
      position: 0,
      is_manual: true,
      entities: [{ type: "italic", offset: 5, length: 3 }],
    };
    expect(read({ text: "why?", quote, reply_to_message: said({ text: "👍🏽 yes" }) })?.cites?.text).toContain(
      "> 👍🏽 *yes*",
    );
  });

  test("a press on a message that Telegram no longer shows is a press", () => {
    const message = { chat: GROUP, message_id: 3, date: 0 };
    const { press } = readUpdate({ update_id: 1, callback_query: { id: "p", from: ADA, message, data: "a" } }) ?? {};
    expect(press).toMatchObject({ messageId: "3", data: "a", chat: { id: "-1001" } });
  });
});
