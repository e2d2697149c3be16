import { join } from "node:path";
import { expect, test } from "vitest";
import type { SandboxFixture } from "@/lib/testing/fixtures/sandbox-fixture";

/** What a command can see and do in any sandbox; the caller has stubbed SANDBOX_TEST_KEY in the environment. */
export function testThreats({ base, run, workspace }: SandboxFixture): void {
  test("runs a command in the workspace and leaves its files there", async () => {
    const result = await run("echo hi > a.txt; pwd; cat a.txt");
    expect(result).toMatchObject({ exitCode: 0, output: "/workspace\nhi\n", truncated: false });
    expect(new TextDecoder().decode((await workspace().read("a.txt", 10)).bytes)).toBe("hi\n");
  });

  test("sees the workspace at the configured workdir", async () => {
    expect((await run('pwd; echo "$HOME"', { workdir: "/srv/project" })).output).toBe("/srv/project\n/srv/project\n");
  });

  test("refuses a workdir that would hide the system", () => {
    expect(() => workspace({ workdir: "/usr/share" })).toThrow("belongs to the system");
  });

  test("reports the exit code and a signal as 128 and its number", async () => {
    expect((await run("exit 7")).exitCode).toBe(7);
    expect((await run("kill -TERM $$")).exitCode).toBe(143);
  });

  test("shows no file of the host", async () => {
    const { output } = await run(`cat ${base}/secret; ls /root /home /var; cat /etc/shadow; ls /proc/1/root/root`);
    expect(output).not.toMatch(/TOPSECRET|root:/);
  });

  test("has no environment of the server", async () => {
    const { output } = await run("env; cat /proc/[0-9]*/environ | tr '\\0' '\\n'");
    expect(output).not.toMatch(/sk-test|SANDBOX_TEST/);
    expect(output).not.toContain(base);
  });

  test("inherits no open file of the server", async () => {
    const { output } = await run("for p in 1 $$; do ls -l /proc/$p/fd; done");
    expect(output).not.toMatch(/socket|data\/workspace/);
    expect((await run("ls /proc/$$/fd")).output.split("\n").filter(Boolean)).toEqual(["0", "1", "2", "3"]);
  });

  test("reaches no network: loopback, metadata, name servers", async () => {
    const targets = "127.0.0.1/22 169.254.169.254/80 1.1.1.1/53";
    const attempt = `for t in ${targets}; do (timeout 2 bash -c "exec 3<>/dev/tcp/$t") 2>&1 && echo CONNECTED; done`;
    expect((await run(attempt)).output).not.toContain("CONNECTED");
  });

  test("reaches no abstract socket of the host", async () => {
    expect(Number((await run("tail -n +2 /proc/net/unix | wc -l")).output)).toBe(0);
  });

  testConfinement({ base, run, workspace });
}

function testConfinement({ base, run, workspace }: Pick<SandboxFixture, "base" | "run" | "workspace">): void {
  test("cannot write outside of the workspace and /tmp", async () => {
    const places = "/usr/x /etc/x /x /dev/x /proc/x /etc/passwd /var/x";
    const { output } = await run(
      `for f in ${places}; do (echo x > $f) 2>/dev/null && echo "WROTE $f"; done; touch /tmp/x && echo tmp`,
    );
    expect(output).toBe("tmp\n");
  });

  test("cannot fill the memory through /tmp or /dev/shm", async () => {
    const { output } = await run(
      "for d in /tmp /dev/shm; do head -c 50M /dev/zero > $d/big; stat -c %s $d/big; done 2>/dev/null",
      { commandLimits: { temporaryBytes: 2 ** 20 } },
    );
    expect(output).toBe("1048576\n1048576\n");
  });

  test("sees and signals no process of the host", async () => {
    const { output } = await run(`ls /proc | grep -c '^[0-9]'; kill -9 ${process.pid} && echo KILLED`);
    expect(Number(output.split("\n")[0])).toBeLessThan(8);
    expect(output).not.toContain("KILLED");
  });

  test("gives no capability, no new namespace and no new privilege", async () => {
    const { output } = await run(
      "unshare -Ur true && echo NAMESPACE; grep -E 'CapEff|CapBnd|NoNewPrivs' /proc/self/status",
    );
    expect(output).not.toContain("NAMESPACE\n");
    expect(output).toMatch(/CapEff:\s+0+\nCapBnd:\s+0+\nNoNewPrivs:\s+1\n/);
  });

  test("cannot mount, make devices or change users", async () => {
    const { output } = await run(
      "mount -t tmpfs x /tmp && echo MOUNTED; mknod d c 1 3 && echo DEVICE; chown 0 a.txt && echo OWNED; su -c id; true",
    );
    expect(output).not.toMatch(/MOUNTED|DEVICE|OWNED|uid=0/);
  });

  test("keeps another user's workspace apart", async () => {
    const other = join(base, "data", "other");
    await workspace({ root: other }).write("s", new TextEncoder().encode("OTHER"));
    expect((await run(`cat ${other}/s /workspace/../other/s`)).output).not.toContain("OTHER");
  });
}
