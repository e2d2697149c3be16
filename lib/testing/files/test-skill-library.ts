import { createMemoryFileStore } from "@/lib/testing/files/memory-file-store";
import type { SkillLibrary } from "@/lib/workspaces/mount-skills";

const FILES = {
  "skills/pdf/SKILL.md": "---\nname: pdf\ndescription: Fill in forms\n---\nneedle one",
  "skills/pdf/scripts/fill.py": "print('needle two')",
  "skills/slides/SKILL.md": "---\nname: slides\ndescription: Make slides\n---\n",
};

/** The installed skills `pdf` (with a script) and `slides`. `materialize` is for tests that run commands. */
export function createTestLibrary(materialize: SkillLibrary["materialize"] = notAvailable): SkillLibrary {
  const skills = [
    { name: "pdf", description: "Fill in forms" },
    { name: "slides", description: "Make slides" },
  ];
  return { skills, files: createMemoryFileStore(FILES), materialize };
}

async function notAvailable(): Promise<string> {
  throw new Error("This test runs no command.");
}
