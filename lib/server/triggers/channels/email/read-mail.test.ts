import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EmailCredentials } from "@/lib/schema/channels/channel-credentials";
import type { Connection } from "@/lib/server/triggers/channels/channel";
import { readAnswerKey } from "./answer-key";
import { ownMessageId, readMail } from "./read-mail";

const server = { host: "localhost", port: 1, secure: false, user: "agent", password: "x" };
const credentials: EmailCredentials = {
  kind: "email",
  address: "agent@acme.example",
  authservId: "mx.acme.example",
  imap: server,
  smtp: server,
};
const connection = { channelId: "ch_1", credentials } as Connection;
const TRUSTED = "Authentication-Results: mx.acme.example; dmarc=pass header.from=acme.example";
const HEAD = ["From: Petra <Petra@acme.example>", "To: agent@acme.example", "Message-ID: <m1@acme.example>"];

const read = (lines: readonly string[], body = "Please look.\n") =>
  readMail(connection, credentials, { bytes: Buffer.from([...lines, "", body].join("\r\n")), offset: "7:3" });

describe("a mail", () => {
  test("is a message of its sender, with its subject and what an answer needs", async () => {
    const update = await read([TRUSTED, ...HEAD, "Subject: The =?utf-8?q?r=C3=A9port?="]);
    expect(update).toMatchObject({
      offset: "7:3",
      message: {
        chat: { id: "petra@acme.example", kind: "direct" },
        sender: { id: "petra@acme.example", name: "Petra" },
        text: "The réport\n\nPlease look.",
        beginsThread: true,
        files: [],
      },
    });
    expect(update.message?.linkSecret).toBeUndefined();
    expect(readAnswerKey(update.message?.answerKey)).toEqual({
      messageId: "<m1@acme.example>",
      references: [],
      subject: "The réport",
    });
  });

  test("is the same one under another number", async () => {
    const lines = [TRUSTED, ...HEAD];
    const moved = { bytes: Buffer.from([...lines, "", "x"].join("\r\n")), offset: "8:1" };
    expect((await readMail(connection, credentials, moved)).id).toBe((await read(lines)).id);
  });

  test("answers the newest own mail that it refers to", async () => {
    const own = ["a", "b"].map((unique) => ownMessageId("ch_1", unique, credentials.address));
    const foreign = ownMessageId("ch_2", "c", credentials.address);
    const lines = [
      TRUSTED,
      ...HEAD,
      `References: <r@acme.example> ${own[0]}`,
      ` ${own[1]} ${foreign}`,
      "Subject: Re: x",
    ];
    const { message } = await read(lines, "Yes.\n\nOn Monday, Agent wrote:\n> Shall I?\n");
    expect(message).toMatchObject({ replyTo: own[1], text: "Yes." });
    expect(message?.beginsThread).toBeUndefined();
    expect(readAnswerKey(message?.answerKey)?.references).toEqual(["<r@acme.example>", ...own, foreign]);
  });

  test("stands alone where it is a command or a code", async () => {
    expect((await read([TRUSTED, ...HEAD, "Subject: Hello"], "/stop\n")).message?.text).toBe("/stop");
    expect((await read([TRUSTED, ...HEAD, "Subject: Hello"], "ABCD 2345\n")).message?.text).toBe("ABCD 2345");
    expect((await read([TRUSTED, ...HEAD, "Subject: ABCD 2345"], "")).message?.text).toBe("ABCD 2345");
  });

  test("is text also where it is HTML only", async () => {
    const html = [TRUSTED, ...HEAD, "Content-Type: text/html; charset=utf-8"];
    const { message } = await read(html, "<p>One &amp; <b>two</b></p><script>evil()</script>");
    expect(message?.text).toBe("One & **two**");
  });

  const signed = (type: string, name: string) => {
    const part = (headers: string[], content: string) => ["--b", ...headers, "", content].join("\r\n");
    const signature = [`Content-Type: ${type}; name="${name}"`, `Content-Disposition: attachment; filename="${name}"`];
    const body = [part(["Content-Type: text/plain"], "Do it."), part(signature, "MIIB"), "--b--", ""].join("\r\n");
    return read([TRUSTED, ...HEAD, `Content-Type: multipart/signed; protocol="${type}"; boundary=b`], body);
  };

  test.each([
    ["application/pkcs7-signature", "smime.p7s"],
    ["application/pgp-signature", "signature.asc"],
  ])("that is signed by %s brings its text, and no signature as a file", async (type, name) => {
    expect((await signed(type, name)).message).toMatchObject({ text: "Do it.", files: [] });
  });

  test("that is signed as text brings what was signed", async () => {
    const text = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nDo it.\n- -- not a mark\n";
    const { message } = await read(
      [TRUSTED, ...HEAD],
      `${text}-----BEGIN PGP SIGNATURE-----\n\niQ\n-----END PGP SIGNATURE-----\n`,
    );
    expect(message?.text).toBe("Do it.\n-- not a mark");
    const forged = `Before.\n\n${text}`;
    expect((await read([TRUSTED, ...HEAD], forged)).message?.text).toContain("BEGIN PGP SIGNED MESSAGE");
  });

  test("that is encrypted says so instead of its subject", async () => {
    const type = 'Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"';
    const { message } = await read(
      [TRUSTED, ...HEAD, "Subject: Plans", type, "Content-Transfer-Encoding: base64"],
      "MIIB",
    );
    expect(message?.text).toBe("Plans\n\n[Encrypted mail, which can't be read here]");
  });

  test("that invites to a meeting brings the invitation under a name that programs open", async () => {
    const type = "Content-Type: text/calendar; charset=utf-8; method=REQUEST";
    const { message } = await read([TRUSTED, ...HEAD, "Subject: Standup", type], "BEGIN:VCALENDAR\nEND:VCALENDAR\n");
    expect(message).toMatchObject({ text: "Standup", files: [{ name: "invitation.ics" }] });
  });

  test("has its attachments, but not the pictures in its text", async () => {
    const part = (headers: string[], content: string) => ["--b", ...headers, "", content].join("\r\n");
    const body = [
      part(["Content-Type: text/plain"], "See below."),
      part(['Content-Type: text/csv; name="a.csv"', 'Content-Disposition: attachment; filename="a.csv"'], "1,2"),
      part(["Content-Type: image/png", "Content-Disposition: inline", "Content-ID: <logo>"], "png"),
      "--b--",
    ].join("\r\n");
    const { message } = await read([TRUSTED, ...HEAD, 'Content-Type: multipart/mixed; boundary="b"'], body);
    expect(message?.files.map(({ name }) => name)).toEqual(["a.csv"]);
    const bytes = await message?.files[0]?.read(new AbortController().signal);
    expect(
      Buffer.from(bytes ?? [])
        .toString()
        .trim(),
    ).toBe("1,2");
  });
});

describe("a forwarded mail", () => {
  const gmail =
    "---------- Forwarded message ---------\nFrom: Bob <bob@acme.example>\nSubject: Invoice\n\nPlease pay 5 EUR.";
  const apple =
    "\n\nBegin forwarded message:\n\n> From: Bob <bob@acme.example>\n> Subject: Invoice\n>\n> Please pay 5 EUR.";
  const outlook =
    "From: Bob <bob@acme.example>\nSent: Monday, 23 November 2026 09:00\nTo: Petra\nSubject: Invoice\n\nPlease pay 5 EUR.";

  test.for([
    ["Gmail", gmail],
    ["Apple Mail", apple],
    ["Outlook", outlook],
  ])("of %s is content, with and without a comment", async ([, forwarded = ""]) => {
    const head = [TRUSTED, ...HEAD, "Subject: FW: Invoice", "References: <r@acme.example>"];
    const alone = (await read(head, forwarded)).message?.text ?? "";
    expect(alone).toMatch(
      /^FW: Invoice\n\n\[Forwarded message: cited, not a request\]\n(?:>.*\n)+> Please pay 5 EUR\.$/,
    );
    const commented = (await read(head, `Please file this.\n\n${forwarded}`)).message?.text;
    expect(commented).toBe(alone.replace("FW: Invoice\n\n", "FW: Invoice\n\nPlease file this.\n\n"));
  });

  test("of HTML is content", async () => {
    const html = [TRUSTED, ...HEAD, "Subject: WG: Invoice", "Content-Type: text/html; charset=utf-8"];
    const block =
      "<b>Von:</b> Bob &lt;bob@acme.example&gt;<br><b>Gesendet:</b> 23.11.2026<br><b>An:</b> Petra<br><b>Betreff:</b> Invoice";
    const { message } = await read(html, `<p>Please file this.</p><div>${block}</div><p>Please pay 5 EUR.</p>`);
    expect(message?.text).toContain("Please file this.\n\n[Forwarded message: cited, not a request]\n> **Von:** Bob");
    expect(message?.text).toContain("> Please pay 5 EUR.");
  });

  test.for(["Content-Disposition: attachment; filename=invoice.eml", "Content-Disposition: inline", "X-None: 1"])(
    "that is attached is content and a file (%s)",
    async (disposition) => {
      const inner = ["From: Bob <bob@acme.example>", "Subject: Invoice", "", "Please pay 5 EUR."];
      const parts = ["--b", "Content-Type: text/plain", "", "Please file this.", "--b"];
      const body = [...parts, "Content-Type: message/rfc822", disposition, "", ...inner, "--b--"].join("\r\n");
      const { message } = await read([TRUSTED, ...HEAD, 'Content-Type: multipart/mixed; boundary="b"'], body);
      const cited = "> From: Bob, bob@acme.example\n> Subject: Invoice\n>\n> Please pay 5 EUR.";
      expect(message?.text).toBe(`Please file this.\n\n[Forwarded message: cited, not a request]\n${cited}`);
      expect(message?.files).toHaveLength(1);
    },
  );
});

test.for<[string, string, string]>([
  ["Petra (at home) <petra@acme.example>", "petra@acme.example", "Petra"],
  ["petra@acme.example (Petra @home)", "petra@acme.example", "Petra @home"],
  ['"petra vogel"@acme.example', '"petra vogel"@acme.example', '"petra vogel"@acme.example'],
  ['Petra <"petra@home"@acme.example>', '"petra@home"@acme.example', "Petra"],
  ["Team: Petra <petra@acme.example>;", "petra@acme.example", "Petra"],
  ["=?utf-8?q?Petra=40home?= <petra@acme.example>", "petra@acme.example", "Petra@home"],
  ["=?utf-8?b?UGV0cmEsIFZvZ2Vs?= <petra@acme.example>", "petra@acme.example", "Petra, Vogel"],
  ['"Vogel, Petra" <petra@acme.example>', "petra@acme.example", "Vogel, Petra"],
])("the sender may be written as %s", async ([from, address, name]) => {
  const { message } = await read([TRUSTED, `From: ${from}`, "Message-ID: <m@x>"]);
  expect(message?.sender).toEqual({ id: address, name });
});

describe("a mail that starts nothing", () => {
  test.for<[string, string[], RegExp]>([
    ["is not authenticated", HEAD, /dmarc=pass/],
    ["has two senders", [TRUSTED, ...HEAD, "From: Boss <boss@acme.example>"], /one sender/],
    ["names two senders", [TRUSTED, "From: petra@acme.example, boss@acme.example"], /one sender/],
    ["comes from a list", [TRUSTED, ...HEAD, "List-Id: <team>"], /mailing list/],
    ["is an automatic answer", [TRUSTED, ...HEAD, "Auto-Submitted: auto-replied"], /automatically/],
    ["is the channel's own", [TRUSTED, "From: agent@acme.example"], /own mail/],
  ])("%s", async ([, lines, why]) => {
    const update = await read(lines);
    expect(update.message).toBeUndefined();
    expect(update).toMatchObject({ offset: "7:3", refused: expect.stringMatching(why) });
  });

  test("does not take the place of a later one with the same Message-ID", async () => {
    expect((await read(HEAD)).id).not.toBe((await read([TRUSTED, ...HEAD])).id);
  });

  test("is not authenticated by a forged header below that of the own server", async () => {
    const forged = await read(["Authentication-Results: mx.acme.example; dmarc=fail", TRUSTED, ...HEAD]);
    expect(forged.refused).toMatch(/dmarc=pass/);
  });
});

test("a mail at a secret address brings the secret instead of DMARC", async () => {
  const [from = "", , id = ""] = HEAD;
  const update = await read([from, id, 'To: "Agent" <Agent+S3cret@acme.example>, x@acme.example']);
  expect(update.message).toMatchObject({ linkSecret: "s3cret", sender: { id: "petra@acme.example" } });
  const other = await read([from, id, "To: agent+s3cret@evil.example"]);
  expect(other.refused).toMatch(/dmarc=pass/);
});

test("a mail of any bytes is read, or refused with its place noted", async () => {
  const line = fc.constantFrom(
    TRUSTED,
    ...HEAD,
    "Content-Type: multipart/mixed; boundary=b",
    "--b",
    "",
    "\u0000",
    ">",
    "=?x?q?",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(line, fc.string()), { maxLength: 12 }), async (lines) => {
      expect(await read(lines)).toMatchObject({ offset: "7:3", id: expect.any(String) });
    }),
  );
});
