import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SandboxFixture } from "@/lib/testing/fixtures/sandbox-fixture";

/** How commands see installed skills, in any sandbox. */
export function testSkills({ base, root, run, workspace }: SandboxFixture): void {
  const skillsFolder = join(base, "data", "skills");
  mkdirSync(join(skillsFolder, "pdf"), { recursive: true });
  writeFileSync(join(skillsFolder, "pdf", "SKILL.md"), "# How", { mode: 0o444 });
  for (const folder of [skillsFolder, join(skillsFolder, "pdf")]) chmodSync(folder, 0o755);

  test("are at /skills, beside the workspace", async () => {
    const { output } = await run("cat /skills/pdf/SKILL.md; pwd; ls -A", { skillsFolder });
    expect(output).toBe("# How/workspace\n");
    expect(root.startsWith(base)).toBe(true);
  });

  test("can't be changed, added to, removed or made writable", async () => {
    const attempts = ["echo x > SKILL.md", "touch new", "rm -f SKILL.md", "mv SKILL.md a", "chmod 777 . SKILL.md"];
    for (const attempt of attempts) {
      const { exitCode, output } = await run(`cd /skills/pdf && ${attempt}`, { skillsFolder });
      expect(exitCode, attempt).not.toBe(0);
      expect(output).toMatch(/Read-only file system|Permission denied|Operation not permitted/);
    }
    expect((await run("ls -A /skills /skills/pdf; mount -o remount,rw /skills", { skillsFolder })).output).toContain(
      "/skills:\npdf\n\n/skills/pdf:\nSKILL.md\n",
    );
  });

  test("don't lead to the folders around them", async () => {
    const { output } = await run(`ls /skills/..; cat /skills/../secret ${base}/secret`, { skillsFolder });
    expect(output).not.toMatch(/TOPSECRET|data/);
  });

  test("are not there when no folder is given", async () => {
    expect((await run("ls /skills 2>/dev/null")).output).toBe("");
  });

  test("give way to a workspace that is itself at /skills", async () => {
    await workspace().write("mine", new TextEncoder().encode("x"));
    expect((await run("ls /skills", { skillsFolder, workdir: "/skills" })).output).toBe("mine\n");
  });
}
