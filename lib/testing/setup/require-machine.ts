import { spawnSync } from "node:child_process";

/** A requirement of a test for its machine. */
export type MachineNeed =
  | "linux"
  | "root"
  | "bubblewrap"
  | "ripgrep"
  | "python3"
  | "postgresql"
  | "dovecot"
  | "systemd"
  | "prometheus";

const CHECKS: Record<MachineNeed, () => boolean> = {
  linux: () => process.platform === "linux",
  root: () => process.getuid?.() === 0,
  bubblewrap: () =>
    succeeds("bwrap", ["--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "true"]),
  ripgrep: () => succeeds("rg", ["--version"]),
  python3: () => succeeds("/usr/bin/python3", ["--version"]),
  postgresql: () => succeeds("/bin/sh", ["-c", "ls /usr/lib/postgresql/*/bin/initdb"]),
  dovecot: () => succeeds("dovecot", ["--version"]),
  systemd: () => succeeds("systemd-analyze", ["--version"]),
  prometheus: () => succeeds("prometheus", ["--version"]) && succeeds("promtool", ["--version"]),
};

/**
 * True if the machine meets all of `needs`. Locally a missing one gives a warning, so that the tests may be skipped
 * (`describe.skipIf(!requireMachine("root"))`); with CI set it throws, because a skipped sandbox test would look like a
 * passing one there.
 */
export function requireMachine(...needs: readonly MachineNeed[]): boolean {
  const missing = needs.filter((need) => !CHECKS[need]());
  if (missing.length === 0) return true;
  const sentence = `This machine has no ${missing.join(", no ")}: the tests that need it can't run.`;
  if (process.env.CI) throw new Error(`${sentence} CI must have it.`);
  console.warn(`SKIPPED: ${sentence}`);
  return false;
}

function succeeds(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: "ignore", timeout: 10_000 }).status === 0;
}
