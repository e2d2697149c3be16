import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** Dovecot's own data about a mailbox, besides the mails. */
const MEMORY = ["dovecot-uidlist", "dovecot.index", "dovecot.index.log", "dovecot.index.cache"];

export const MAILBOX_PASSWORD = "correct horse";

export interface DovecotServer {
  readonly port: number;
  /** Puts a mail into the mailbox, as a receiving mail server does. */
  deliver(user: string, mail: string): Promise<void>;
  /** Recreates the mailbox: new UIDs, a new UIDVALIDITY, the same mails. */
  rebuild(user: string): Promise<void>;
  /** Accepts no further connections and ends the open ones. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** A real IMAP server for the mailboxes of `users` in a temporary folder; the mailbox `small` is limited to 10 kB. */
export async function startDovecot(users: readonly string[]): Promise<DovecotServer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "ringmaster-dovecot-"));
  const port = await freePort();
  const config = path.join(folder, "dovecot.conf");
  await writeFile(config, await configOf(folder, port, users));
  const server = spawn("dovecot", ["-F", "-c", config], { stdio: "ignore", detached: true });
  await waitForPort(port, server, folder);
  let delivered = 0;
  const box = (user: string) => path.join(folder, "mail", user);
  return {
    port,
    async deliver(user, mail) {
      delivered += 1;
      const name = `${Math.floor(Date.now() / 1_000)}.${process.pid}_${delivered}.test`;
      await makeFolders(path.join(box(user), "tmp"), path.join(box(user), "new"), path.join(box(user), "cur"));
      const file = path.join(box(user), "tmp", name);
      await writeFile(file, mail.replace(/\r?\n/g, "\r\n"));
      await own(file);
      await rename(file, path.join(box(user), "new", name));
    },
    async rebuild(user) {
      for (const name of MEMORY) {
        await rm(path.join(box(user), name), { force: true });
      }
    },
    stop: () => end(server),
    async close() {
      await end(server);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, "exit");
  server.kill("SIGTERM");
  await exited;
  // Ends its connection processes, which would otherwise live on for a while.
  if (server.pid !== undefined) endGroup(server.pid);
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // The group has already ended.
  }
}

/** Dovecot reads no mail as root, so the mailboxes then belong to `nobody`. */
const NOBODY = 65_534;
const isRoot = () => process.getuid?.() === 0;

async function own(file: string): Promise<void> {
  if (isRoot()) await chown(file, NOBODY, NOBODY);
}

async function makeFolders(...folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    await mkdir(folder, { recursive: true });
    await own(folder);
  }
}

async function configOf(folder: string, port: number, users: readonly string[]): Promise<string> {
  const [uid, gid] = isRoot() ? [NOBODY, NOBODY] : [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  await makeFolders(folder, path.join(folder, "mail"), ...users.map((user) => path.join(folder, "mail", user)));
  const passwords = path.join(folder, "users");
  const rule = (user: string) => (user === "small" ? "userdb_quota_rule=*:storage=10k" : "");
  await writeFile(passwords, users.map((user) => `${user}:{PLAIN}${MAILBOX_PASSWORD}::::::${rule(user)}\n`).join(""));
  await own(passwords);
  const me = isRoot() ? "nobody" : os.userInfo().username;
  const group = isRoot() ? "nogroup" : "";
  return `
protocols = imap
listen = 127.0.0.1
base_dir = ${folder}/run
state_dir = ${folder}/run
log_path = ${folder}/log
ssl = no
disable_plaintext_auth = no
auth_failure_delay = 0
default_internal_user = ${me}
default_login_user = ${me}
${group === "" ? "" : `default_internal_group = ${group}`}
first_valid_uid = 1
mail_plugins = quota
mail_location = maildir:${folder}/mail/%n
auth_mechanisms = plain login
passdb {
  driver = passwd-file
  args = username_format=%u ${passwords}
}
userdb {
  driver = passwd-file
  args = username_format=%u ${passwords}
  override_fields = uid=${uid} gid=${gid} home=${folder}/mail/%n
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
protocol imap {
  mail_plugins = quota imap_quota
}
plugin {
  quota = maildir:User quota
}
`;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

async function waitForPort(port: number, server: ChildProcess, folder: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (await answers(port)) return;
    if (server.exitCode !== null) break;
    await pause(25);
  }
  const log = await readFile(path.join(folder, "log"), "utf8").catch(() => "");
  throw new Error(`dovecot did not start: ${log}`);
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const done = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once("data", () => done(true)).once("error", () => done(false));
  });
}
