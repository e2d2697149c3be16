import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";

function ringmaster(...words: readonly string[]) {
  const program = ["--import", "./scripts/resolve-imports.ts", "scripts/ringmaster/ringmaster.ts", ...words];
  return spawnSync(process.execPath, program, { encoding: "utf8" });
}

describe("ringmaster", () => {
  test("lists its commands", () => {
    const { status, stdout } = ringmaster("--help");
    expect(status).toBe(0);
    for (const name of ["start", "migrate", "backup", "restore", "agents", "traces", "new"])
      expect(stdout).toMatch(RegExp(`^  ${name}`, "m"));
  });

  test.each(["start", "migrate", "backup", "restore", "agents", "traces", "new"])("%s says what it takes", (name) => {
    const { status, stdout } = ringmaster(name, "--help");
    expect(status).toBe(0);
    expect(stdout).toContain(`ringmaster -- ${name}`);
  });

  test.each([
    [["fly"], 'There is no command "fly".\n\n'],
    [["mirgate"], 'There is no command "mirgate". Did you mean migrate?'],
    [["--prot", "4000"], "There is no option --prot. Did you mean --port?"],
    [["constructor"], 'There is no command "constructor".'],
    [["backup"], "Name a new folder."],
    [["restore", "one", "two"], "Name the folder of a backup."],
    [["agents", "fetch"], "Say pull or push."],
    [["traces"], "Say find, list, show, read, compare, export or bundle."],
    [["traces", "list", "one"], "A list takes no names."],
    [["traces", "show"], "Name one trace or run."],
    [["traces", "list", "--since", "yesterday"], "--since takes a time"],
    [["new"], "Say what: extension."],
    [["new", "extension"], "Name the extension."],
    [["new", "extension", "mine", "hoook"], "It is a hook or a tool."],
    [["new", "extension", "mine", "tool", "more"], "It is a hook or a tool."],
    [["agents", "pull", "--dir", "x"], "There is no option --dir."],
  ])("%j is not understood: the answer says why, shows the usage and ends with 2", (words, problem) => {
    const { status, stderr } = ringmaster(...words);
    expect(status).toBe(2);
    expect(stderr).toContain(problem);
    expect(stderr).toContain("ringmaster -- ");
    expect(stderr).not.toContain("    at ");
  });

  test("a command that fails says why in one line and ends with 1", () => {
    const { status, stderr } = ringmaster("restore", "no-such-folder", "--data", "no-such-data");
    expect(status).toBe(1);
    expect(stderr).toMatch(/^Nothing was restored: .+\n$/);
  });
});
