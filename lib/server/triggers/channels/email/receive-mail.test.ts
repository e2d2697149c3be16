import { expect, test } from "vitest";
import { receiveMail } from "./receive-mail";

const CONNECTION = { channelId: "ch_1" };
const CREDENTIALS = { address: "agent@example.org", authservId: "mx.example.org" };
const HEADERS = [
  "Authentication-Results: mx.example.org; dmarc=pass header.from=example.com",
  "From: Ada <ada@example.com>",
  "To: agent@example.org",
  "Message-ID: <1@example.com>",
  "Subject: Figures",
  "MIME-Version: 1.0",
];

function receive(lines: readonly string[], timeMs = 20_000) {
  const bytes = Buffer.from([...HEADERS, ...lines].join("\r\n"));
  return receiveMail(CONNECTION, CREDENTIALS, { bytes, offset: "7:3" }, { timeMs, memoryBytes: 512 * 2 ** 20 });
}

test("a mail and its files come out of the other process whole", async () => {
  const content = Buffer.from([0, 255, 1, 254]);
  const { id, offset, message } = await receive([
    'Content-Type: multipart/mixed; boundary="b"',
    "",
    "--b",
    "Content-Type: text/plain; charset=utf-8",
    "",
    "Grüße, here they are.",
    "--b",
    'Content-Type: application/octet-stream; name="a.bin"',
    "Content-Disposition: attachment; filename=a.bin",
    "Content-Transfer-Encoding: base64",
    "",
    content.toString("base64"),
    "--b",
    'Content-Type: text/plain; name="large.txt"',
    "Content-Disposition: attachment; filename=large.txt",
    "",
    "x".repeat(11 * 1_048_576),
    "--b--",
  ]);
  expect([id.slice(0, 5), offset]).toEqual(["mail:", "7:3"]);
  expect(message).toMatchObject({
    chat: { id: "ada@example.com", kind: "direct", name: "ada@example.com" },
    text: "Figures\n\nGrüße, here they are.",
    beginsThread: true,
  });
  const [small, large] = message?.files ?? [];
  expect(Buffer.from((await small?.read(AbortSignal.timeout(1_000))) ?? [])).toEqual(content);
  await expect(large?.read(AbortSignal.timeout(1_000))).rejects.toThrow("large.txt is larger than 10 MB.");
});

test("a mail that is turned away says why", async () => {
  expect(await receive(["Auto-Submitted: auto-replied", "", "I am away."])).toMatchObject({
    id: "refused:7:3",
    refused: expect.stringMatching(/./),
  });
});

test("a mail that takes too long is stopped and told, and meanwhile the server goes on", async () => {
  let ticks = 0;
  const ticking = setInterval(() => {
    ticks += 1;
  }, 10);
  const update = await receive(["", "a", "\n".repeat(4_000_000), "b"], 600);
  clearInterval(ticking);
  expect(update).toEqual({ id: "refused:7:3", offset: "7:3", refused: expect.stringContaining("longer than 0.6 s") });
  expect(ticks).toBeGreaterThan(10);
});
