import { expect, test } from "vitest";
import { readAnswerKey } from "./answer-key";
import { readMail } from "./read-mail";

const CREDENTIALS = { address: "agent@acme.example", authservId: "mx.acme.example" };
const TRUSTED = "Authentication-Results: mx.acme.example; dmarc=pass header.from=acme.example";
const FROM = "From: Petra <petra@acme.example>";

const read = (lines: readonly string[], { body = "Please look.", offset = "7:3" } = {}) =>
  readMail({ channelId: "ch_1" }, CREDENTIALS, {
    bytes: Buffer.from([...lines, "", body, ""].join("\r\n"), "latin1"),
    offset,
  });

/** Lines as they come on the wire: characters above 127 are single bytes. */
test.for<[string, string[], string]>([
  ["folded in every place", ["Subject: One", " two", "\tthree"], "One two three"],
  ["folded in the middle of nothing", ["Subject:", " One"], "One"],
  ["without a space", ["Subject:One"], "One"],
  ["in other letters", ["SUBJECT: One"], "One"],
  ["that is there twice", ["Subject: One", "Subject: Two"], "One|Two"],
  ["of 8 KB", [`Subject: ${"One ".repeat(2_100)}`], "One One"],
  ["of 200 KB in one line", [`Subject: One ${"x".repeat(200_000)}`], "One x"],
  ["of encoded words that belong together", ["Subject: =?utf-8?b?T24=?= =?utf-8?q?e?="], "One"],
  ["whose encoded word does not end", ["Subject: One =?utf-8?q?two"], "One =?utf-8?q?two"],
  ["whose encoded word is no base64", ["Subject: One =?utf-8?b?%%%?="], "One"],
  ["in half a character", ["Subject: One =?utf-8?q?=C3?="], "One"],
  ["in a charset that nobody knows", ["Subject: =?x-unknown-9?q?One?="], "One"],
  ["in a charset with a language", ["Subject: =?utf-8*en?q?One?="], "One"],
  ["in Japanese of old programs", ["Subject: =?iso-2022-jp?B?GyRCRnxLXBsoQg==?="], "\u65e5\u672c"],
  ["in Chinese of old programs", ["Subject: =?gb2312?B?1tC5+g==?="], "\u4e2d\u56fd"],
  ["in Russian of old programs", ["Subject: =?koi8-r?B?8NLJ18XU?="], "\u041f\u0440\u0438\u0432\u0435\u0442"],
  ["in raw UTF-8", ["Subject: r\xc3\xa9port"], "r\u00e9port"],
  ["with a NUL", ["Subject: One\0"], "One"],
  ["between lines that are no headers", ["This is no header", "Subject: One", ": nor this", "=x"], "One"],
  [
    "below the separator of a mailbox file",
    ["From petra@acme.example Mon Jan  1 00:00:00 2024", "Subject: One"],
    "One",
  ],
])("a mail with a subject %s is read", async ([, lines, subject]) => {
  const { message, refused } = await read([TRUSTED, FROM, "Message-ID: <1@acme.example>", ...lines]);
  expect(refused).toBeUndefined();
  expect(message?.text).toMatch(new RegExp(`^(?:${subject.replaceAll("?", "\\?")})[\\s\\S]*\n\nPlease look\\.$`, "u"));
});

test.for<[string, string[]]>([
  ["a group", ["From: Team: Petra <petra@acme.example>;"]],
  ["comments everywhere", ["From: (a) Petra (b) <petra@acme.example> (c)"]],
  ["a name in encoded words", ["From: =?utf-8?q?P=C3=A9tra=2C_the_=22boss=22?= <petra@acme.example>"]],
  ["a name in a broken encoded word", ["From: =?utf-8?b?!!!?= <petra@acme.example>"]],
  ["a name of 7 KB", [`From: "${"x".repeat(7_000)}" <petra@acme.example>`]],
  ["folded lines", ["From:", " Petra", " <petra@acme.example>"]],
  ["no name", ["From: petra@acme.example"]],
])("a sender with %s is who they are", async ([, from]) => {
  const { message } = await read([TRUSTED, ...from, "Message-ID: <1@acme.example>"]);
  expect(message?.sender.id).toBe("petra@acme.example");
  expect(message?.sender.name.length).toBeLessThanOrEqual(500);
  expect(message?.sender.name).not.toBe("");
});

test.for<[string, string[]]>([
  ["twice", [FROM, "From: Eve <eve@acme.example>"]],
  ["twice the same", [FROM, FROM]],
  ["with two addresses", ["From: petra@acme.example, eve@acme.example"]],
  ["with more than 8 KB", [`From: "${"x".repeat(9_000)}" <petra@acme.example>`]],
  ["with an address in an encoded word", ["From: =?utf-8?q?petra=40acme=2Eexample?="]],
  ["with nothing", ["From: "]],
  ["with an empty group", ["From: undisclosed-recipients:;"]],
])("a sender who is named %s is nobody", async ([, from]) => {
  expect((await read([TRUSTED, ...from, "Message-ID: <1@acme.example>"])).refused).toContain("exactly one sender");
});

test("a mail without a Message-ID is the same one in any mailbox, and another one is another", async () => {
  for (const lines of [[], ["Message-ID: "], ["Message-ID: <>"]]) {
    const head = [TRUSTED, FROM, ...lines];
    const first = await read(head);
    expect((await read(head, { offset: "8:1" })).id).toBe(first.id);
    expect((await read([...head, "Date: Mon, 1 Jan 2024 00:00:00 +0000"])).id).not.toBe(first.id);
    expect(first.message).toMatchObject({ beginsThread: true, text: "Please look." });
  }
});

test.for<[string, string]>([
  ["that is none", "no id at all"],
  ["without brackets", "1@acme.example"],
  ["of 8 KB", `<${"x".repeat(8_000)}@acme.example>`],
  ["with a space", "<1 2@acme.example>"],
  ["with another header in it", "<1@acme.example>\r\n\tBcc: <eve@evil.example>"],
])("an answer to a mail with a Message-ID %s names nothing that is no id", async ([, id]) => {
  const { message } = await read([TRUSTED, FROM, `Message-ID: ${id}`]);
  const key = readAnswerKey(message?.answerKey);
  if (key) expect(key.messageId).toMatch(/^<[^<>\s]{1,996}>$/);
  expect(message?.text).toBe("Please look.");
});

test.for<[string, string]>([
  ["10,000 ids", Array.from({ length: 10_000 }, (_, index) => `<${index}@a.example>`).join(" ")],
  ["the same id over and over", "<1@a.example> ".repeat(10_000)],
  ["brackets that do not end", "<".repeat(100_000)],
  ["ids of 10 KB", `<${"x".repeat(10_000)}> `.repeat(20)],
  ["nothing between brackets", "<> ".repeat(30_000)],
  ["words", "see the mail of yesterday"],
])("References with %s are read in a moment, and few of them kept", async ([, references]) => {
  const began = performance.now();
  const { message } = await read([TRUSTED, FROM, "Message-ID: <1@acme.example>", `References: ${references}`]);
  expect(performance.now() - began).toBeLessThan(2_000);
  const kept = readAnswerKey(message?.answerKey)?.references ?? [];
  expect(kept.length).toBeLessThanOrEqual(20);
  expect(new Set(kept).size).toBe(kept.length);
  expect(message?.text).toBe("Please look.");
});

test.for<[string, string[]]>([
  ["of a vacation", ["Auto-Submitted: auto-replied (vacation)"]],
  ["of a vacation, folded", ["Auto-Submitted:", " auto-replied"]],
  ["of Exchange", ["X-Auto-Response-Suppress: All", "X-MS-Exchange-Inbox-Rules-Loop: petra@acme.example"]],
  ["of an old responder", ["X-Autoreply: yes", "Precedence: auto_reply"]],
  ["that is a bounce", ["Return-Path: <>", "Content-Type: multipart/report; boundary=b"]],
  ["that is a bounce, in other letters", ["RETURN-PATH: <>"]],
  ["from a list", ["List-Id: <team.lists.example>", "Precedence: list"]],
])("a mail %s is never answered", async ([, lines]) => {
  expect((await read([TRUSTED, FROM, "Message-ID: <1@acme.example>", ...lines])).refused).toEqual(expect.any(String));
});

test.for(["agent@acme.example", "AGENT@Acme.Example", "agent+secret@acme.example"])(
  "a mail from its own address %s is never answered",
  async (address) => {
    expect((await read([TRUSTED, `From: ${address}`, "Message-ID: <1@acme.example>"])).refused).toBe(
      "It is its own mail.",
    );
  },
);
