import { expect, test } from "vitest";
import { type ContractTools, refusal } from "@/lib/testing/contracts/contract-tools";

/** Tests a workspace with the installed skills of `createTestLibrary`. */
export function describeInstalledSkills(tools: ContractTools): void {
  test("are listed, looked at and read in the folder skills", async () => {
    expect((await tools.workspace.list("skills")).map(({ name }) => name)).toEqual(["pdf", "slides"]);
    expect(await tools.workspace.list("skills/pdf/scripts")).toEqual([{ name: "fill.py", type: "file", size: 19 }]);
    expect(await tools.workspace.stat("skills")).toEqual({ name: "skills", type: "dir", size: 0 });
    expect(await tools.workspace.stat("skills/pdf/SKILL.md")).toMatchObject({ type: "file" });
    expect(await tools.read("skills/pdf/scripts/fill.py")).toBe("print('needle two')");
    expect(await refusal(tools.workspace.read("skills/pdf/none", 1))).toBe("not_found");
  });

  test("can't be written, replaced or removed", async () => {
    for (const path of ["skills/pdf", "skills/pdf/SKILL.md", "skills/pdf/new.txt", "/skills/slides/SKILL.md"]) {
      expect(await refusal(tools.write(path, "x"))).toBe("read_only");
      expect(await refusal(tools.workspace.remove(path))).toBe("read_only");
    }
    expect(await refusal(tools.write("skills", "x"))).toBe("not_a_file");
    expect(await refusal(tools.workspace.remove("skills"))).not.toBe("accepted");
    expect(await tools.read("skills/pdf/scripts/fill.py")).toBe("print('needle two')");
  });

  test("are next to the workspace's own, whose folder stays writable", async () => {
    await tools.write("skills/mine/SKILL.md", "mine");
    expect((await tools.workspace.list("skills")).map(({ name }) => name)).toEqual(["mine", "pdf", "slides"]);
    expect((await tools.workspace.list("")).map(({ name }) => name)).toEqual(["skills"]);
    expect(await tools.read("skills/mine/SKILL.md")).toBe("mine");
    expect(await tools.read("skills/slides/SKILL.md")).toContain("Make slides");
    await tools.workspace.remove("skills/mine/SKILL.md");
    expect(await tools.read("skills/slides/SKILL.md")).toContain("Make slides");
  });
}

/** The same for glob and grep. */
export function describeSkillSearch(tools: ContractTools): void {
  test("are found where the search names them, by the path that commands see", async () => {
    await tools.seed({ "skills/mine/SKILL.md": "needle mine", "main.py": "needle" });
    const paths = ["skills/mine/SKILL.md", "/skills/pdf/SKILL.md", "/skills/slides/SKILL.md"];
    expect(await tools.glob("**/SKILL.md", "skills")).toEqual(paths);
    expect(await tools.glob("skills/*/SKILL.md")).toEqual(paths);
    expect(await tools.glob("*.py", "skills/pdf")).toEqual(["/skills/pdf/scripts/fill.py"]);
    expect(await tools.lines({ path: "skills" })).toEqual([
      "skills/mine/SKILL.md:1:needle mine",
      "/skills/pdf/SKILL.md:5:needle one",
      "/skills/pdf/scripts/fill.py:1:print('needle two')",
    ]);
    expect(await tools.lines({ glob: "skills/**/*.py" })).toEqual([
      "/skills/pdf/scripts/fill.py:1:print('needle two')",
    ]);
    expect(await tools.lines({ path: "/skills/pdf/SKILL.md" })).toEqual(["/skills/pdf/SKILL.md:5:needle one"]);
  });

  test("are left alone by a search of the whole workspace", async () => {
    await tools.seed({ "main.py": "needle" });
    expect(await tools.glob("**/*.py")).toEqual(["main.py"]);
    expect(await tools.lines({})).toEqual(["main.py:1:needle"]);
  });

  test("count against the limit of a search", async () => {
    expect(await tools.workspace.glob("**/*", "skills", 2)).toEqual({
      files: ["/skills/pdf/SKILL.md", "/skills/pdf/scripts/fill.py"],
      truncated: true,
    });
    expect(await tools.grep({ path: "skills", limit: 1 })).toMatchObject({ matches: [{ line: 5 }], truncated: true });
  });

  test("are named with where to read them", async () => {
    await tools.write("skills/slides2/SKILL.md", "mine");
    expect(await tools.workspace.installedSkills?.()).toEqual([
      { name: "pdf", description: "Fill in forms", path: "/skills/pdf/SKILL.md" },
      { name: "slides", description: "Make slides", path: "/skills/slides/SKILL.md" },
    ]);
  });
}
