import { expect, test } from "vitest";
import { PROMPT_FILE_NAMES } from "@/lib/schema/agents/prompt";
import { documentName } from "./document-names";

test("every file that a prompt knows, and the lasting facts, have a name and a sentence", () => {
  for (const path of [...PROMPT_FILE_NAMES, "MEMORY.md"]) expect(documentName(path)?.says, path).toMatch(/^[A-Z].*\.$/);
  expect(documentName("notes.md")).toBeNull();
});
