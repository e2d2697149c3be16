import { cleanup, render, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { diffRows } from "@/lib/client/files/diff-rows";
import { Diff } from "./diff";

afterEach(cleanup);

test("each side has its own colours: a docstring that one line opens is a string there and no further", async () => {
  const rows = diffRows('def area():\n    """The area.\n    """\n', 'def area():\n    # Tell the area.\n    """\n');
  const { container } = render(<Diff rows={rows} path="area.py" />);
  const textOf = (look: string) => [...container.querySelectorAll(look)].map(({ textContent }) => textContent);
  await waitFor(() => expect(textOf(".text-code-comment").join("")).toBe("# Tell the area."), { timeout: 5_000 });
  expect(textOf(".text-code-string").join("|")).toContain('"""');
  expect(textOf(".text-code-key")).toEqual(["def"]);
  expect(container.textContent).toBe('11 def area():2−    """The area.2+    # Tell the area.33     """');
});
