import { completionStatus, currentCompletions, startCompletion } from "@codemirror/autocomplete";
import { EditorView } from "@codemirror/view";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { YamlCode } from "./yaml-code";

afterEach(cleanup);

const SCHEMA = { type: "object", properties: { model: { type: "string" }, mode: { type: "string" } } };

function editor(): EditorView {
  const view = EditorView.findFromDOM(screen.getByRole("textbox", { name: "a.yaml, YAML" }));
  if (view === null) throw new Error("There is no editor.");
  return view;
}

it("offers keys once the schema has come, and the list stays open when the check of the text answers", async () => {
  const { promise: schema, resolve: answer } = Promise.withResolvers<typeof SCHEMA>();
  const loadSchema = () => schema;
  const props = { label: "a.yaml, YAML", value: "mo", onChange: () => undefined, loadSchema };
  const { rerender } = render(<YamlCode {...props} />);
  const view = await waitFor(editor);
  view.dispatch({ selection: { anchor: 2 } });
  view.focus();
  startCompletion(view);
  await waitFor(() => expect(completionStatus(view.state)).toBe("pending"));
  answer(SCHEMA);
  await waitFor(() => expect(completionStatus(view.state)).toBe("active"));
  expect(currentCompletions(view.state).map(({ label }) => label)).toEqual(["mode", "model"]);
  const problem = { severity: "error", path: "", message: "A mapping was expected.", line: 1, column: 1 } as const;
  rerender(<YamlCode {...props} problems={[problem]} />);
  expect(completionStatus(view.state)).toBe("active");
});
