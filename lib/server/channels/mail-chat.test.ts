import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { POST as addLink, GET as getLinks } from "@/app/api/channel-links/route";
import { DELETE as removeChannel } from "@/app/api/channels/[channelId]/route";
import { POST as testChannel } from "@/app/api/channels/[channelId]/test/route";
import { POST as addChannel, GET as getChannels } from "@/app/api/channels/route";
import type { Channel } from "@/lib/schema/channels/channel";
import { createAgent } from "@/lib/server/agents/publish-version";
import { openLink } from "@/lib/server/triggers/channels/links/pairing";
import { sendParts } from "@/lib/server/triggers/channels/send-parts";
import { loadCompaction } from "@/lib/server/wiring/load-compaction";
import { type DovecotServer, MAILBOX_PASSWORD, startDovecot } from "@/lib/testing/channels/dovecot-server";
import { type MailCatcher, startMailCatcher } from "@/lib/testing/channels/mail-catcher";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { scriptedTurns } from "@/lib/testing/servers/scripted-turns";
import { requireMachine } from "@/lib/testing/setup/require-machine";
import { startChannels, stopChannels } from "./hold-channels";

const TRUSTED = "Authentication-Results: mx.acme.example; dmarc=pass header.from=acme.example";
const FORGED = "Authentication-Results: mx.acme.example; dmarc=fail header.from=acme.example";

describe.skipIf(!requireMachine("dovecot"))("mail to agents", () => {
  let dovecot: DovecotServer;
  let smtp: MailCatcher;
  let server: RunServer;
  let channel: Channel;
  /** What the answer to "slow" waits for. */
  const gate = Promise.withResolvers<void>();

  beforeAll(async () => {
    [dovecot, smtp] = await Promise.all([startDovecot(["agent", "small"]), startMailCatcher(MAILBOX_PASSWORD)]);
    const turns = scriptedTurns({
      hello: [{ text: "**Hello** from the agent." }],
      write: [{ calls: [{ name: "write_file", args: { path: "a.txt", content: "A" } }] }, { text: "Written." }],
    });
    server = await startRunServer(
      (request) => {
        const said = String(request.messages?.findLast(({ role }) => role === "user")?.content);
        if (said.includes("slow")) return { text: "Late.", gate: gate.promise };
        const word = /hello|write/.exec(said)?.[0] ?? "";
        const messages = (request.messages ?? []).map((one) =>
          one.content === said ? { ...one, content: word } : one,
        );
        return turns({ ...request, messages });
      },
      { RINGMASTER_PUBLIC_URL: "https://ring.example" },
    );
    const permissions = { enabled: true, mode: "accept_edits", ask: ["write_file"] };
    const raw = { model: "scripted:m", retries: 0, backend: { type: "state" }, name: "Asks", permissions };
    await createAgent(server.services, { agentId: "asks", raw, createdById: null });
    const added = await server.call(addChannel, { as: "admin", body: mailbox("agent") });
    expect(added.status).toBe(201);
    channel = await added.json();
    await startChannels(server.services, { loadCompaction });
    await vi.waitFor(async () => expect((await row()).offset).not.toBeNull(), { timeout: 10_000 });
  });
  afterAll(async () => {
    gate.resolve();
    await stopChannels(server.services);
    await server.close();
    await Promise.all([dovecot.close(), smtp.close()]);
  });

  const mailbox = (user: string) => {
    const box = { host: "127.0.0.1", secure: false, user, password: MAILBOX_PASSWORD };
    return {
      kind: "email",
      name: "Acme agents",
      agentId: "asks",
      address: `${user}@acme.example`,
      authservId: "mx.acme.example",
      imap: { ...box, port: dovecot.port },
      smtp: { ...box, port: smtp.port },
    };
  };

  const row = () => server.database.channel.findUniqueOrThrow({ where: { id: channel.id } });
  const listed = async (): Promise<Channel> =>
    (await (await server.call(getChannels, { as: "admin" })).json()).channels[0];

  let lastId = 0;
  interface Letter {
    readonly from?: string;
    readonly to?: string;
    readonly text: string;
    readonly subject?: string;
    readonly headers?: readonly string[];
  }
  async function write({
    from = "petra@acme.example",
    to = "agent@acme.example",
    text,
    ...more
  }: Letter): Promise<string> {
    lastId += 1;
    const id = `<m${lastId}@acme.example>`;
    const head = [`From: ${from}`, `To: ${to}`, `Message-ID: ${id}`, `Subject: ${more.subject ?? ""}`];
    await dovecot.deliver("agent", [...(more.headers ?? [TRUSTED]), ...head, "", text, ""].join("\n"));
    return id;
  }
  const to = (address: string) => smtp.mails.filter((mail) => mail.to?.some((one) => one.address === address));
  const answerTo = async (id: string) => {
    await expect.poll(() => smtp.mails.some(({ inReplyTo }) => inReplyTo === id)).toBe(true);
    return smtp.mails.findLast(({ inReplyTo }) => inReplyTo === id);
  };
  async function pair(from: string): Promise<string> {
    const { code } = await (await server.call(addLink, { as: "member", body: { channelId: channel.id } })).json();
    const answer = await answerTo(await write({ from, text: code, subject: "My code" }));
    expect(answer?.text).toContain("Linked to");
    return /agent\+[a-z0-9]+@acme\.example/.exec(answer?.text ?? "")?.[0] ?? "";
  }
  /** Creates the state that pairing leaves. */
  async function linked(from: string): Promise<void> {
    const chat = { id: from, kind: "direct", name: from } as const;
    const whose = { sender: { id: from, name: from }, userId: "member", agentId: "asks", now: new Date() };
    await openLink(server.database, { channel: await row(), chat, ...whose });
  }
  const threads = async (from: string) => {
    const runs = await server.database.run.findMany({
      where: { origin: "channel", originDetails: { contains: from } },
      select: { threadId: true },
      orderBy: { createdAt: "asc" },
    });
    return runs.map(({ threadId }) => threadId);
  };
  const messageOf = (threadId: string) =>
    server.database.channelMessage.findFirst({ where: { threadId }, orderBy: { createdAt: "desc" } });

  test("a person pairs, a mail starts a run in a thread, a reply continues it, a new mail begins another", async () => {
    const from = "petra@acme.example";
    const stranger = await answerTo(await write({ from, text: "hello" }));
    expect(stranger?.text).toContain("I don't know this code");
    await pair(from);
    const first = await write({ from, text: "hello", subject: "The report" });
    const answer = await answerTo(first);
    expect(answer).toMatchObject({ subject: "Re: The report", references: first });
    expect(answer?.text?.trim()).toBe("**Hello** from the agent.");
    expect(answer?.html).toContain("<strong>Hello</strong>");
    const reply = `References: ${first} ${answer?.messageId}`;
    const quoted = "hello again\n\nOn Monday, Agent wrote:\n> **Hello** from the agent.";
    await answerTo(await write({ from, text: quoted, subject: "Re: The report", headers: [TRUSTED, reply] }));
    await answerTo(await write({ from, text: "hello", subject: "Something else" }));
    const [one, two, three, ...rest] = await threads(from);
    expect([two, rest]).toEqual([one, []]);
    expect(three).not.toBe(one);
    expect((await messageOf(one ?? ""))?.messageId).toMatch(/^<.+@acme\.example>$/);
    const { links } = await (await server.call(getLinks, { as: "member" })).json();
    expect(links).toMatchObject([{ kind: "email", chatName: from }]);
  });

  test("a forged sender gets no answer and starts nothing; the same mail at the secret address does", async () => {
    const from = "ana@acme.example";
    const secret = await pair(from);
    expect(secret).not.toBe("");
    await write({ from, text: "hello", headers: [FORGED, TRUSTED] });
    await write({ from, to: "agent+guessed@acme.example", text: "hello", headers: [FORGED] });
    const own = await write({ from: "other@private.example", to: secret, text: "hello", headers: [FORGED] });
    const answer = await answerTo(own);
    expect(answer?.to).toMatchObject([{ address: from }]);
    expect(await threads(from)).toHaveLength(1);
    expect(to("other@private.example")).toEqual([]);
    expect((await listed()).turnedAway).toContainEqual(expect.objectContaining({ kind: "refused", count: 2 }));
  });

  test("an approval is a mail that links to the inbox; it decides nothing", async () => {
    const from = "cid@acme.example";
    await linked(from);
    const answer = await answerTo(await write({ from, text: "write", subject: "Please" }));
    expect(answer?.text).toContain("Write this file?");
    expect(answer?.text).toContain("Open in the browser: https://ring.example/inbox");
    expect(answer?.html).not.toContain("Allow once");
    expect(answer?.html?.match(/href="[^"]+"/g)).toEqual(['href="https://ring.example/inbox"']);
  });

  test("/stop in an answer holds the mails that wait; its answer links to them, and a mail after it is answered", async () => {
    const from = "dora@acme.example";
    await linked(from);
    const first = await write({ from, text: "hello", subject: "Slowly" });
    const replyTo = `References: ${first} ${(await answerTo(first))?.messageId}`;
    const reply = (text: string) => write({ from, text, subject: "Re: Slowly", headers: [TRUSTED, replyTo] });
    const count = (status: string) =>
      server.database.run.count({ where: { status, originDetails: { contains: from } } });
    await reply("slow");
    await expect.poll(() => count("running")).toBe(1);
    for (const [index, text] of ["hello one", "hello two"].entries()) {
      await reply(text);
      await expect.poll(() => count("queued")).toBe(index + 1);
    }
    const answer = await answerTo(
      await reply("/stop\n\n-- \nDora\nAcme Ltd.\n\nOn Monday, 2 March 2026 at 10:00, Agent wrote:\n> Hello"),
    );
    const [threadId] = await threads(from);
    expect(answer?.text).toContain("Stopped. 2 messages are held.");
    expect(answer?.text).toContain(`Send or drop: https://ring.example/threads/${threadId}`);
    expect(await count("cancelled")).toBe(1);
    const answered = await answerTo(await reply("hello three"));
    expect(answered?.text?.trim()).toBe("**Hello** from the agent.");
    const held = { heldAt: { not: null }, originDetails: { contains: from } };
    expect(await server.database.run.count({ where: held })).toBe(2);
    expect((await answerTo(await reply("/stop")))?.text).toContain("2 messages are held.");
  });

  test("files go with the text in one mail, which is noted once", async () => {
    const from = "eva@acme.example";
    await linked(from);
    const link = await server.database.channelLink.findFirstOrThrow({ where: { externalUser: from } });
    const files = ["a.txt", "b.txt"].map((name) => ({ name, bytes: Buffer.from(name) }));
    const sentAs = { deliveryId: "dlv_files", threadId: "thr_none", runId: "run_none", isRepeat: false };
    const own = await row();
    const send = () =>
      sendParts(server.database, { link, channel: own }, { text: "# Two files\nHere.", files }, sentAs);
    await send();
    await send();
    expect(to(from)).toHaveLength(1);
    expect(to(from)[0]?.subject).toBe("Two files");
    expect(to(from)[0]?.attachments.map(({ filename }) => filename)).toEqual(["a.txt", "b.txt"]);
  });

  test("more than ten mails an hour start nothing more", async () => {
    const from = "dan@acme.example";
    await linked(from);
    for (let count = 0; count < 11; count += 1) await write({ from, text: "hello" });
    const away = async () => (await listed()).turnedAway.find(({ kind }) => kind === "refused");
    await expect.poll(away).toMatchObject({ detail: "too many in an hour" });
    await expect.poll(async () => (await threads(from)).length).toBe(10);
  });

  test("a full mailbox stands on its channel's page, to people who would link an address as well", async () => {
    const head = ["From: petra@acme.example", "To: small@acme.example", "Message-ID: <large@acme.example>"];
    // Before anybody reads it: Dovecot counts once what lies there.
    await dovecot.deliver("small", [TRUSTED, ...head, "", "x".repeat(11_000), ""].join("\n"));
    const added = await server.call(addChannel, { as: "admin", body: mailbox("small") });
    const { id: channelId } = (await added.json()) as Channel;
    const tested = await server.call(testChannel, { as: "admin", params: { channelId } });
    expect(await tested.json()).toMatchObject({ ok: false, error: expect.stringContaining("The mailbox is full") });
    const { channels } = await (await server.call(getLinks, { as: "member" })).json();
    const shown = channels.find(({ id }: { id: string }) => id === channelId);
    expect(shown).toMatchObject({ state: "failed", error: expect.stringContaining("The mailbox is full") });
    await server.call(removeChannel, { as: "admin", method: "DELETE", params: { channelId } });
  });

  test("the page says what keeps the mailbox from being read", async () => {
    const ask = async () => (await server.call(testChannel, { as: "admin", params: { channelId: channel.id } })).json();
    expect(await ask()).toMatchObject({ ok: true, username: "agent@acme.example" });
    await dovecot.stop();
    expect(await ask()).toMatchObject({ ok: false, error: expect.stringContaining("takes no connection") });
    await expect.poll(async () => (await listed()).state).toBe("failed");
  });
});
