import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EmailCredentials } from "@/lib/schema/channels/channel-credentials";
import type { Connection, InboundUpdate } from "@/lib/server/triggers/channels/channel";
import { type DovecotServer, MAILBOX_PASSWORD, startDovecot } from "@/lib/testing/channels/dovecot-server";
import { type MailCatcher, startMailCatcher } from "@/lib/testing/channels/mail-catcher";
import { requireMachine } from "@/lib/testing/setup/require-machine";
import { writeAnswerKey } from "./answer-key";
import { email } from "./email";

let smtp: MailCatcher;
beforeAll(async () => {
  smtp = await startMailCatcher(MAILBOX_PASSWORD);
});
afterAll(() => smtp.close());

interface Mailbox {
  readonly user?: string;
  readonly password?: string;
  readonly imapPort?: number;
  readonly offset?: string | null;
}

function connectionTo({
  user = "agent",
  password = MAILBOX_PASSWORD,
  imapPort = 1,
  offset = null,
}: Mailbox): Connection {
  const server = { host: "127.0.0.1", secure: false, user, password };
  const credentials: EmailCredentials = {
    kind: "email",
    address: "agent@acme.example",
    authservId: "mx.acme.example",
    imap: { ...server, port: imapPort },
    smtp: { ...server, port: smtp.port },
  };
  return {
    channelId: "ch_1",
    name: "Acme agents",
    credentials,
    apiRoot: null,
    allowedPrivateHosts: [],
    username: null,
    offset,
    hookUrl: "",
  };
}

describe("an answer by mail", () => {
  test("keeps the conversation and its subject, and says that a program sent it", async () => {
    const answered = { messageId: "<m2@acme.example>", references: ["<m1@acme.example>"], subject: "The report" };
    const { messageId } = await email.send(connectionTo({}), "petra@acme.example", {
      text: "**Done**: see [the page](https://acme.example/a).\n\n<script>x</script> ![p](https://evil.example/p.png)",
      replyTo: writeAnswerKey(answered),
      files: [{ name: "a.txt", bytes: Buffer.from("hello") }],
      buttons: [[{ label: "Open the inbox", url: "https://ringmaster.example/inbox" }]],
    });
    const mail = smtp.mails.at(-1);
    expect(mail).toMatchObject({
      messageId,
      subject: "Re: The report",
      inReplyTo: "<m2@acme.example>",
      references: "<m1@acme.example> <m2@acme.example>",
      from: { name: "Acme agents", address: "agent@acme.example" },
    });
    expect(mail?.headers).toContainEqual(expect.objectContaining({ key: "auto-submitted", value: "auto-replied" }));
    expect(mail?.text).toContain("the page: https://acme.example/a");
    expect(mail?.text).toContain("Open the inbox: https://ringmaster.example/inbox");
    expect(mail?.html).toContain("<strong>Done</strong>");
    expect(mail?.html).toContain('<a href="https://ringmaster.example/inbox">');
    expect(mail?.html).not.toMatch(/<script|<img/);
    expect(mail?.attachments.map(({ filename }) => filename)).toEqual(["a.txt"]);
  });

  test("does not repeat Re:", async () => {
    const replyTo = writeAnswerKey({ messageId: "<m@x>", references: [], subject: "RE: x\r\nBcc: all@acme.example" });
    await email.send(connectionTo({}), "petra@acme.example", { text: "y", replyTo });
    expect(smtp.mails.at(-1)).toMatchObject({ subject: "RE: x Bcc: all@acme.example" });
    expect(smtp.mails.at(-1)?.bcc).toBeUndefined();
  });

  test("says what the server refused", async () => {
    const wrong = connectionTo({ password: "wrong" });
    await expect(email.send(wrong, "petra@acme.example", { text: "x" })).rejects.toThrow(/refused user and password/);
  });
});

describe.skipIf(!requireMachine("dovecot"))("a mailbox", () => {
  let dovecot: DovecotServer;
  beforeAll(async () => {
    dovecot = await startDovecot(["agent", "busy", "moved", "small"]);
  });
  afterAll(() => dovecot.close());

  const mailOf = (id: string, more: readonly string[] = []) =>
    [
      "Authentication-Results: mx.acme.example; dmarc=pass header.from=acme.example",
      ...["From: Petra <petra@acme.example>", "To: agent@acme.example", `Message-ID: <${id}@acme.example>`],
      ...[...more, "", `Text of ${id}`, ""],
    ].join("\n");

  /** Follows the mailbox; `until` resolves once an update matches. */
  function follow(mailbox: Mailbox) {
    const updates: InboundUpdate[] = [];
    const stop = new AbortController();
    const waiting: { readonly isIt: (update: InboundUpdate) => boolean; readonly resolve: () => void }[] = [];
    const ended = email.start(
      connectionTo({ imapPort: dovecot.port, ...mailbox }),
      async (update) => {
        updates.push(update);
        for (const { isIt, resolve } of waiting) if (isIt(update)) resolve();
      },
      stop.signal,
    );
    const until = (isIt: (update: InboundUpdate) => boolean) =>
      new Promise<void>((resolve, reject) => {
        if (updates.some(isIt)) resolve();
        waiting.push({ isIt, resolve });
        ended.catch(reject);
      });
    return { updates, until, ended, stop: () => stop.abort() };
  }
  const texts = (updates: readonly InboundUpdate[]) => updates.flatMap(({ message }) => message?.text ?? []);
  const has = (id: string) => (update: InboundUpdate) => update.message?.text === `Text of ${id}`;

  test("brings what arrives from now on, at once, and goes on where it was", async () => {
    await dovecot.deliver("agent", mailOf("old"));
    const first = follow({});
    await first.until(({ offset }) => offset !== undefined);
    await dovecot.deliver("agent", mailOf("one"));
    await first.until(has("one"));
    await dovecot.deliver("agent", mailOf("spam", ["List-Id: <spam>"]));
    await first.until(({ refused }) => refused !== undefined);
    first.stop();
    await first.ended;
    expect(texts(first.updates)).toEqual(["Text of one"]);

    await dovecot.deliver("agent", mailOf("two"));
    const second = follow({ offset: first.updates.at(-1)?.offset ?? null });
    await second.until(has("two"));
    second.stop();
    await second.ended;
    expect(texts(second.updates)).toEqual(["Text of two"]);
  });

  test("brings at once what arrives while another mail is being read", async () => {
    const stop = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    // The server announces the last mail in its answer about the second.
    const follows = new Map([
      ["", ["b1", "b2"]],
      ["Text of b1", ["b3"]],
    ]);
    const receive = async (update: InboundUpdate) => {
      for (const id of follows.get(update.message?.text ?? "") ?? []) await dovecot.deliver("busy", mailOf(id));
      if (has("b3")(update)) resolve();
    };
    const ended = email.start(connectionTo({ imapPort: dovecot.port, user: "busy" }), receive, stop.signal);
    await promise;
    stop.abort();
    await ended;
  }, 20_000);

  test("is read from yesterday when it was built anew, and each mail keeps its id", async () => {
    const before = follow({ user: "moved" });
    await before.until(({ offset }) => offset !== undefined);
    await dovecot.deliver("moved", mailOf("kept"));
    await before.until(has("kept"));
    before.stop();
    await before.ended;
    await dovecot.rebuild("moved");
    const after = follow({ user: "moved", offset: "1:99" });
    await after.until(has("kept"));
    after.stop();
    await after.ended;
    expect(after.updates.find(has("kept"))?.id).toBe(before.updates.find(has("kept"))?.id);
  });

  test("says why it can't be used: the password, the room, the server", async () => {
    const { signal } = new AbortController();
    const at = (mailbox: Mailbox) => email.test(connectionTo({ imapPort: dovecot.port, ...mailbox }), signal);
    expect(await at({})).toEqual({ username: "agent@acme.example" });
    await expect(at({ password: "wrong" })).rejects.toMatchObject({
      name: "ChannelRefused",
      message: expect.stringMatching(/refused user and password: .+ Enter them again/),
    });
    await dovecot.deliver("small", mailOf("large").replace("Text of", "x".repeat(11_000)));
    await expect(at({ user: "small" })).rejects.toThrow(/The mailbox is full/);
    await expect(at({ imapPort: 1 })).rejects.toThrow(/takes no connection/);
  });

  test("ends with an error when its server goes away", async () => {
    const followed = follow({});
    await followed.until(({ offset }) => offset !== undefined);
    const ended = expect(followed.ended).rejects.toThrow(/connection/i);
    await dovecot.stop();
    await ended;
  });
});
