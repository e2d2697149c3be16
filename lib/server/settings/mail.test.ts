import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { POST as sendLinkRoute } from "@/app/api/account-links/send/route";
import { PATCH as patchRoute, GET as settingsRoute } from "@/app/api/settings/route";
import { POST as testMailRoute } from "@/app/api/settings/smtp/test/route";
import { POST as inviteRoute } from "@/app/api/users/invite/route";
import { SentMail, Settings } from "@/lib/schema/settings/settings";
import { createSecretBox, secretBox } from "@/lib/server/platform/secrets/secrets";
import { checkSecretCanary } from "@/lib/server/wiring/secrets-canary";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { startSettings } from "./settings";
import { currentSettings } from "./settings-state";

const PASSWORD = "correct horse battery";

let server: TestServer;
let post: SMTPServer | null = null;
let mails: string[] = [];

beforeAll(async () => {
  server = await startTestServer({ RINGMASTER_PUBLIC_URL: "https://agents.example.org" });
  await startSettings(server.services);
});
afterAll(() => server.close());
beforeEach(() => {
  mails = [];
});
afterEach(async () => {
  await patch({ smtp: null });
  await new Promise<void>((resolve) => (post ? post.close(() => resolve()) : resolve()));
  post = null;
});

/** A mail server that accepts one user, with a self-signed certificate. */
async function startPost(options: SMTPServerOptions = {}): Promise<number> {
  const started = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    onAuth: ({ username, password }, _session, answer) =>
      username === "ada" && password === PASSWORD
        ? answer(null, { user: username })
        : answer(new Error(`no such user or password ${password}`)),
    onRcptTo: ({ address }, _session, answer) =>
      address.startsWith("nobody@") ? answer(new Error("5.1.1 nobody lives here")) : answer(),
    onData(stream, _session, answer) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        mails.push(Buffer.concat(parts).toString());
        answer(null, "queued as 4711");
      });
    },
    ...options,
  });
  started.on("error", () => undefined);
  post = started;
  await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", () => resolve()));
  return (started.server.address() as AddressInfo).port;
}

const smtp = (port: number, more: object = {}) => ({
  host: "127.0.0.1",
  port,
  security: "none",
  user: "ada",
  from: "Agents <agents@example.org>",
  password: PASSWORD,
  ...more,
});
const patch = (body: unknown) => server.call(patchRoute, { as: "admin", method: "PATCH", body });
const tryMail = async (body: unknown = {}) =>
  SentMail.parse(await (await server.call(testMailRoute, { as: "admin", body })).json());

describe("the password", () => {
  test("is stored encrypted, and neither read again nor in the audit log", async () => {
    const port = await startPost();
    expect((await patch({ smtp: smtp(port) })).status).toBe(200);
    const shown = Settings.parse(await (await server.call(settingsRoute, { as: "admin" })).json());
    expect(shown.smtp).toMatchObject({ host: "127.0.0.1", password: { set: true } });
    const rows = JSON.stringify([
      await server.database.setting.findMany(),
      await server.database.auditEntry.findMany(),
    ]);
    expect(rows + JSON.stringify(shown)).not.toContain(PASSWORD);
    const audit = await server.database.auditEntry.findFirst({ where: { target: "settings:smtp" } });
    expect(audit?.after).not.toContain("v1.");
  });

  test("stays when it is left out, but never goes to another server", async () => {
    const port = await startPost();
    await patch({ smtp: smtp(port) });
    const { password: _, ...rest } = smtp(port);
    expect((await patch({ smtp: { ...rest, from: "new@example.org" } })).status).toBe(200);
    expect((await tryMail()).ok).toBe(true);
    const moved = await patch({ smtp: { ...rest, host: "mail.elsewhere.example" } });
    expect([moved.status, (await moved.json()).error.details]).toEqual([
      400,
      [{ path: "smtp.password", message: expect.stringContaining("Enter it again") }],
    ]);
    const tried = await server.call(testMailRoute, { as: "admin", body: { smtp: { ...rest, port: port + 1 } } });
    expect(tried.status).toBe(400);
  });

  test("is encrypted again when the secret is replaced", async () => {
    await patch({ smtp: smtp(25) });
    await checkSecretCanary(server.database, secretBox());
    const newer = createSecretBox(["a-newer-secret-of-32-characters!", ...currentSecrets()]);
    await checkSecretCanary(server.database, newer);
    const row = await server.database.setting.findUniqueOrThrow({ where: { key: "settings:smtp" } });
    expect(newer.isStale(JSON.parse(row.value).sealed)).toBe(false);
    await server.database.setting.deleteMany({ where: { key: { in: ["settings:smtp", "secret_canary"] } } });
    await startSettings(server.services);
  });
});

function currentSecrets(): string[] {
  return [readFileSync(path.join(server.dataDirectory, "secret"), "utf8").trim()];
}

describe("the test mail", () => {
  test("is sent, and the server's last word is shown", async () => {
    const port = await startPost();
    await patch({ smtp: smtp(port), branding: { name: "Acme agents" } });
    const sent = await tryMail({ to: "bo@example.org" });
    expect(sent).toMatchObject({ ok: true, to: "bo@example.org", answer: expect.stringContaining("queued as 4711") });
    expect(mails[0]).toMatch(/^From: Agents <agents@example.org>/m);
    expect(mails[0]).toMatch(/^To: bo@example.org/m);
    expect(mails[0]).toContain("Acme agents can send mail");
    await patch({ branding: { name: "Ringmaster" } });
  });

  test("may go by what is not saved yet", async () => {
    const port = await startPost();
    expect(await tryMail({ smtp: smtp(port) })).toMatchObject({ ok: true, to: "admin@example.test" });
    expect(currentSettings().smtp).toBe(null);
  });

  test("says without a mail server where to add one", async () => {
    const reply = await server.call(testMailRoute, { as: "admin", body: {} });
    expect([reply.status, (await reply.json()).error.message]).toEqual([
      409,
      expect.stringContaining("Settings, Mail"),
    ]);
  });

  test.each([
    [
      "a wrong password",
      { password: "wrong-password-1" },
      /refused user and password: 535.*\[redacted\].*Enter them again/s,
    ],
    ["a port where nobody listens", { port: 9 }, /127\.0\.0\.1:9 takes no connection.*Check host and port/s],
    ["a host that does not exist", { host: "mail.invalid" }, /mail\.invalid can't be found.*Check the host/s],
    [
      "TLS where there is none",
      { security: "tls" },
      /did not agree on TLS: wrong version number\. It may speak without TLS there\. Check port and security\.$/,
    ],
    [
      "STARTTLS where it is not offered",
      { security: "starttls" },
      /did not agree on STARTTLS: 500 .*\. Check port and security\.$/,
    ],
  ])("tells %s in the server's words", async (_, more, words) => {
    const port = await startPost();
    const sent = await tryMail({ smtp: smtp(port, more) });
    expect([sent.ok, mails]).toEqual([false, []]);
    expect(sent.error).toMatch(words);
    expect(sent.error).not.toContain("wrong-password-1");
  });

  test("tells an address that the server refuses", async () => {
    const sent = await tryMail({ smtp: smtp(await startPost()), to: "nobody@example.org" });
    expect(sent.error).toMatch(/refused the sender or the address: .*nobody lives here/);
  });

  test("goes to no server whose certificate nobody signed", async () => {
    // The test's mail server warns on the console not to use its certificate.
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const port = await startPost({ disabledCommands: [], secure: true });
    const sent = await tryMail({ smtp: smtp(port, { security: "tls" }) });
    expect([sent.ok, mails]).toEqual([false, []]);
    expect(sent.error).toMatch(/did not agree on TLS: .*certificate/s);
  });
});

test("an invitation is mailed to the address that it is for, and says so in the audit log", async () => {
  await patch({ smtp: smtp(await startPost()) });
  const link = await (await server.call(inviteRoute, { as: "admin", body: { email: "new@example.org" } })).json();
  const token = new URL(link.url).hash.slice("#token=".length);
  const sent = SentMail.parse(await (await server.call(sendLinkRoute, { as: "admin", body: { token } })).json());
  expect(sent).toMatchObject({ ok: true, to: "new@example.org" });
  expect(mails[0]?.replaceAll("=\r\n", "").replaceAll("=3D", "=")).toContain(link.url);
  expect(await server.database.auditEntry.count({ where: { action: "account_link.sent" } })).toBe(1);
  const gone = await server.call(sendLinkRoute, { as: "admin", body: { token: "used-up" } });
  expect(gone.status).toBe(404);
});
