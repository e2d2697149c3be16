import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { useSkillUpload } from "@/lib/client/skills/use-skills";
import { withQueries } from "@/lib/testing/react/with-queries";
import { SkillDropArea } from "./skill-upload";

afterEach(cleanup);

function Page() {
  return <SkillDropArea upload={useSkillUpload()}>Skills</SkillDropArea>;
}

it("says so when what was dropped can't be read", async () => {
  render(<Page />, { wrapper: withQueries() });
  const gone = new DOMException("A requested file could not be found.", "NotFoundError");
  const entry = {
    isDirectory: false,
    fullPath: "/SKILL.md",
    file: (_: unknown, reject: (why: Error) => void) => reject(gone),
  };
  const dataTransfer = { types: ["Files"], items: [{ webkitGetAsEntry: () => entry }] };
  fireEvent.drop(screen.getByRole("region"), { dataTransfer });
  expect((await screen.findByRole("alert")).textContent).toContain("could not be read");
});
