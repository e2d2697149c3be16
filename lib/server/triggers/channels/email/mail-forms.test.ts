import { expect, test } from "vitest";
import type { EmailCredentials } from "@/lib/schema/channels/channel-credentials";
import type { Connection } from "@/lib/server/triggers/channels/channel";
import { readMail } from "./read-mail";

const server = { host: "localhost", port: 1, secure: false, user: "agent", password: "x" };
const credentials: EmailCredentials = {
  kind: "email",
  address: "agent@acme.example",
  authservId: "mx.acme.example",
  imap: server,
  smtp: server,
};
const connection = { channelId: "ch_1", credentials } as Connection;
const HEAD = [
  "Authentication-Results: mx.acme.example; dmarc=pass header.from=acme.example",
  "From: Petra <petra@acme.example>",
  "To: agent@acme.example",
  "Message-ID: <m1@acme.example>",
  "References: <agent.ch_1@acme.example>",
];

async function read(lines: readonly string[], body: string | Buffer) {
  const bytes = Buffer.concat([Buffer.from([...HEAD, ...lines, "", ""].join("\r\n"), "latin1"), Buffer.from(body)]);
  return (await readMail(connection, credentials, { bytes, offset: "1:1" })).message;
}

const HTML = ["Subject: Re: x", "MIME-Version: 1.0", "Content-Type: text/html; charset=utf-8"];

test.for<[string, string]>([
  [
    "Gmail",
    '<div dir="ltr">Yes.</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Mon, Nov 23, 2026 at 9:00 AM Agent &lt;<a href="mailto:a@b.example">a@b.example</a>&gt; wrote:<br></div><blockquote class="gmail_quote" style="margin:0px"><div>Shall I?</div></blockquote></div>',
  ],
  [
    "Outlook on the web",
    '<div class="elementToProof">Yes.</div><div id="appendonsend"></div><hr style="display:inline-block;width:98%"><div id="divRplyFwdMsg" dir="ltr"><font face="Calibri"><b>From:</b> Agent &lt;a@b.example&gt;<br><b>Sent:</b> Monday, November 23, 2026 9:00 AM<br><b>To:</b> Petra &lt;p@acme.example&gt;<br><b>Subject:</b> x</font><div>&nbsp;</div></div><div>Shall I?</div>',
  ],
  [
    "Outlook for Windows",
    '<div class=WordSection1><p class=MsoNormal>Yes.<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><div><div style="border:none;border-top:solid #E1E1E1 1.0pt"><p class=MsoNormal><b>Von:</b> Agent &lt;a@b.example&gt; <br><b>Gesendet:</b> Montag, 23. November 2026 09:00<br><b>An:</b> Petra<br><b>Betreff:</b> x<o:p></o:p></p></div></div><p class=MsoNormal>Soll ich?</p></div>',
  ],
  [
    "Apple Mail",
    '<html><body>Yes.<br><div><br><blockquote type="cite"><div>On 23 Nov 2026, at 09:00, Agent &lt;a@b.example&gt; wrote:</div><br><div>Shall I?</div></blockquote></div></body></html>',
  ],
  [
    "Yahoo",
    '<div class="ydp1">Yes.</div><div id="yahoo_quoted_1" class="yahoo_quoted"><div><div>On Monday, November 23, 2026 at 09:00:00 AM GMT+1, Agent &lt;a@b.example&gt; wrote: </div><div><br></div><div>Shall I?</div></div></div>',
  ],
  [
    "Proton Mail",
    '<div style="font-family: Arial;">Yes.</div><div class="protonmail_signature_block"><div class="protonmail_signature_block-proton">Sent with <a href="https://proton.me/mail/home">Proton Mail</a> secure email.</div></div><div class="protonmail_quote">On Monday, November 23rd, 2026 at 9:00 AM, Agent &lt;a@b.example&gt; wrote:<br><blockquote class="protonmail_quote" type="cite">Shall I?</blockquote></div>',
  ],
  [
    "Thunderbird",
    '<p>Yes.</p><div class="moz-cite-prefix">On 11/23/26 09:00, Agent wrote:<br></div><blockquote type="cite" cite="mid:1@b.example">Shall I?</blockquote>',
  ],
])("a mail of %s that has only HTML is the person's own words", async ([, html]) => {
  expect((await read(HTML, html))?.text).toBe("Yes.");
});

const encoded = (charset: string, hex: string) => `=?${charset}?B?${Buffer.from(hex, "hex").toString("base64")}?=`;

test.for<[string, string, string]>([
  ["iso-2022-jp", "1b2442467c4b5c386c1b2842", "日本語"],
  ["gb18030", "d6d0cec4", "中文"],
  ["gb2312", "d6d0cec4", "中文"],
  ["big5", "a4a4a4e5", "中文"],
  ["euc-kr", "c7d1b1db", "한글"],
  ["shift_jis", "93fa967b8cea", "日本語"],
  ["windows-1251", "cff0e8e2e5f2", "Привет"],
  ["koi8-r", "f0d2c9d7c5d4", "Привет"],
  ["iso-8859-15", "a4f6", "€ö"],
  ["windows-1252", "80f6", "€ö"],
])("subject and text in %s are read", async ([charset, hex, words]) => {
  const lines = [`Subject: ${encoded(charset, hex)}`, `Content-Type: text/plain; charset="${charset}"`];
  const message = await read([...lines, "Content-Transfer-Encoding: 8bit"], Buffer.from(hex, "hex"));
  expect(message?.text).toBe(words);
  const answer = await read([`Subject: ${encoded(charset, hex)}`], "");
  expect(answer?.text).toBe(words);
});

const part = (headers: readonly string[], body: string) => `--b\r\n${headers.join("\r\n")}\r\n\r\n${body}\r\n`;
const multipart = (kind: string, parts: readonly string[]): [string[], string] => [
  ["Subject: Re: x", "MIME-Version: 1.0", `Content-Type: multipart/${kind}; boundary=b`],
  `${parts.join("")}--b--\r\n`,
];
const TEXT = part(["Content-Type: text/plain; charset=utf-8"], "Yes.");

test("soft line breaks of quoted-printable are none, also in the middle of a character and at the end", async () => {
  const lines = [
    "Subject: Re: x",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: quoted-printable",
  ];
  expect((await read(lines, "Gr=C3=\r\n=BC=C3=9Fe =3D 1 =\r\nund 2=20\r\n=\r\n"))?.text).toBe("Grüße = 1 und 2");
});

test("an empty text part beside HTML is not the mail", async () => {
  const [lines, body] = multipart("alternative", [
    part(["Content-Type: text/plain"], "   \r\n"),
    part(["Content-Type: text/html"], "<p>Yes.</p>"),
  ]);
  expect((await read(lines, body))?.text).toBe("Yes.");
});

test("winmail.dat and an invitation are files, beside the text", async () => {
  const [lines, body] = multipart("mixed", [
    TEXT,
    part(
      ["Content-Type: application/ms-tnef; name=winmail.dat", "Content-Disposition: attachment; filename=winmail.dat"],
      "x",
    ),
    part(["Content-Type: text/calendar; method=REQUEST; charset=utf-8"], "BEGIN:VCALENDAR\r\nEND:VCALENDAR"),
  ]);
  const message = await read(lines, body);
  expect(message?.text).toBe("Yes.");
  expect(message?.files.map(({ name }) => name)).toEqual(["winmail.dat", "invitation.ics"]);
});

test("an invitation alone says what it is", async () => {
  const lines = ["Subject: Invitation: Planning", "Content-Type: text/calendar; method=REQUEST; charset=utf-8"];
  const message = await read(
    lines,
    "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Planning\r\nEND:VEVENT\r\nEND:VCALENDAR",
  );
  expect(message?.text).toContain("Invitation: Planning");
  expect(message?.files.map(({ name }) => name)).toEqual(["invitation.ics"]);
});

test("what signs a mail is no file of it", async () => {
  const [lines, body] = multipart('signed; protocol="application/pgp-signature"; micalg=pgp-sha512', [
    TEXT,
    part(
      [
        "Content-Type: application/pgp-signature; name=signature.asc",
        "Content-Disposition: attachment; filename=signature.asc",
      ],
      "-----BEGIN PGP SIGNATURE-----",
    ),
  ]);
  expect(await read(lines, body)).toMatchObject({ text: "Yes.", files: [] });
  const [smime, signed] = multipart('signed; protocol="application/pkcs7-signature"; micalg=sha-256', [
    TEXT,
    part(
      [
        "Content-Type: application/pkcs7-signature; name=smime.p7s",
        "Content-Disposition: attachment; filename=smime.p7s",
      ],
      "MII=",
    ),
  ]);
  expect(await read(smime, signed)).toMatchObject({ text: "Yes.", files: [] });
});

test("pictures of a signature within related parts within alternatives are no files, an attached one is", async () => {
  const related = [
    '--r\r\nContent-Type: text/html\r\n\r\n<p>Yes.</p><img src="cid:logo">\r\n',
    "--r\r\nContent-Type: image/png; name=logo.png\r\nContent-ID: <logo>\r\nContent-Disposition: inline; filename=logo.png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n--r--",
  ].join("");
  const [lines, body] = multipart("mixed", [
    part(["Content-Type: multipart/related; boundary=r"], related),
    part(
      [
        "Content-Type: image/png; name=photo.png",
        "Content-Disposition: attachment; filename=photo.png",
        "Content-Transfer-Encoding: base64",
      ],
      "iVBORw0KGgo=",
    ),
  ]);
  const message = await read(lines, body);
  expect(message?.text).toBe("Yes.");
  expect(message?.files.map(({ name }) => name)).toEqual(["photo.png"]);
});

test.for<[string, readonly string[]]>([
  ["a delivery report", ["Content-Type: multipart/report; report-type=delivery-status; boundary=b"]],
  ["a receipt", ["Content-Type: multipart/report; report-type=disposition-notification; boundary=b"]],
  ["an absence of Outlook", ["X-Auto-Response-Suppress: All", "Auto-Submitted: auto-replied"]],
  ["an absence of Gmail", ["Precedence: bulk", "X-Autoreply: yes"]],
  ["an absence of an older program", ["X-Autoreply: yes"]],
  ["an absence of Lotus Notes", ["X-Autorespond: Petra is out"]],
  ["a mailing list", ["List-Id: <dev.acme.example>"]],
  ["a newsletter", ["List-Unsubscribe: <https://acme.example/u>", "Precedence: bulk"]],
])("%s starts nothing", async ([, lines]) => {
  expect(await read([...lines, "Subject: Re: x"], "I am away.")).toBeUndefined();
});
