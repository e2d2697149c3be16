import { expect, test } from "vitest";
import { WorkspaceError } from "@/lib/agent/workspace/workspace";
import { createTestLibrary } from "@/lib/testing/files/test-skill-library";
import { createTestWorkspace, readText } from "@/lib/testing/files/test-workspace";
import { mountSkills } from "./mount-skills";

const LOOK = { timeoutMs: 1, maxOutputBytes: 1, signal: new AbortController().signal };
const namesOf = async (workspace: ReturnType<typeof mountSkills>) =>
  (await workspace.installedSkills?.())?.map(({ name }) => name);

test("the workspace's own skill hides the installed one of its name, whole", async () => {
  const own = createTestWorkspace({ "skills/pdf/SKILL.md": "mine" });
  const workspace = mountSkills(own, createTestLibrary());
  expect(await readText(workspace, "skills/pdf/SKILL.md")).toBe("mine");
  expect(await workspace.stat("skills/pdf/scripts/fill.py")).toBeNull();
  expect((await workspace.glob("**/*", "skills", 10)).files).toEqual([
    "skills/pdf/SKILL.md",
    "/skills/slides/SKILL.md",
  ]);
  expect(await namesOf(workspace)).toEqual(["slides"]);
  await workspace.write("skills/pdf/SKILL.md", new TextEncoder().encode("still mine"));
  expect(await readText(own, "skills/pdf/SKILL.md")).toBe("still mine");
});

test("an installed skill is back when the workspace's own is gone", async () => {
  const own = createTestWorkspace({ "skills/pdf/SKILL.md": "mine" });
  const workspace = mountSkills(own, createTestLibrary());
  await workspace.remove("skills/pdf/SKILL.md");
  expect(await namesOf(workspace)).toEqual(["pdf", "slides"]);
});

test("a file of the workspace called skills hides them all", async () => {
  const workspace = mountSkills(createTestWorkspace({ skills: "a file" }), createTestLibrary());
  expect(await readText(workspace, "skills")).toBe("a file");
  expect(await namesOf(workspace)).toEqual([]);
  expect(await workspace.list("")).toEqual([{ name: "skills", type: "file", size: 6 }]);
});

test("a command gets the folder of the visible skills, and none when there are none", async () => {
  const asked: string[][] = [];
  const library = createTestLibrary(async (names) => {
    asked.push([...names]);
    return "/folder/of/skills";
  });
  const seen: unknown[] = [];
  const shown = (files: Record<string, string>) => {
    const own = createTestWorkspace(files, () => ({}));
    return mountSkills(
      {
        ...own,
        execute: async (command, options) => {
          seen.push(options.skillsFolder);
          return (own.execute as NonNullable<typeof own.execute>)(command, options);
        },
      },
      library,
    );
  };
  await shown({ "skills/pdf/x": "" }).execute?.("ls", LOOK);
  await shown({ skills: "" }).execute?.("ls", LOOK);
  expect(asked).toEqual([["slides"]]);
  expect(seen).toEqual(["/folder/of/skills", undefined]);
});

test("a folder that can't be read hides them all, and commands still run", async () => {
  const own = createTestWorkspace({ "skills/pdf/SKILL.md": "mine" }, () => ({ output: "ran" }));
  const list = async () => Promise.reject(new WorkspaceError("failed", "skills may not be accessed"));
  const workspace = mountSkills({ ...own, list }, createTestLibrary());
  expect(await namesOf(workspace)).toEqual([]);
  expect((await workspace.execute?.("chmod 755 skills", LOOK))?.output).toBe("ran");
});
