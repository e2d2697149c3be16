import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { RulesControl } from "./rules-control";

afterEach(cleanup);

function renderRules(initial: readonly unknown[]) {
  const onChange = vi.fn();
  function Harness() {
    const aria = { "aria-describedby": undefined, "aria-invalid": undefined };
    const [value, setValue] = useState<unknown>(initial);
    const change = (next: unknown) => {
      onChange(next);
      setValue(next);
    };
    return (
      <RulesControl id="rules" label="Deny" before={[]} fallback={[]} aria={aria} value={value} onChange={change} />
    );
  }
  render(<Harness />);
  return { last: () => onChange.mock.lastCall?.[0], onChange };
}

const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

test("a rule gets a second argument, and all of its arguments are written", () => {
  const { last } = renderRules([{ tool: "write_file", args: { path: "/etc/*" } }]);
  fireEvent.click(screen.getByRole("button", { name: "Add an argument to Deny 1" }));
  type("Deny 1, 2, argument", "content");
  type("Deny 1, 2, pattern", "*secret*");
  expect(last()).toEqual([{ tool: "write_file", args: { path: "/etc/*", content: "*secret*" } }]);
  fireEvent.click(screen.getByRole("button", { name: "Remove argument 2 of Deny 1" }));
  expect(last()).toEqual([{ tool: "write_file", args: { path: "/etc/*" } }]);
});

test("a name that is typed through another's loses neither pattern", () => {
  const { last } = renderRules([{ tool: "move", args: { path: "a*", to: "b*" } }]);
  type("Deny 1, 2, argument", "path");
  expect(screen.getByText("Named twice; the first counts.")).toBeDefined();
  type("Deny 1, 2, argument", "path_to");
  expect(last()).toEqual([{ tool: "move", args: { path: "a*", path_to: "b*" } }]);
  expect(screen.queryByText(/Named twice/)).toBeNull();
});

test("a rule with a text for the model is edited with it, and without arguments it is its tool's name again", () => {
  const { last } = renderRules([{ tool: "execute", message: "Ask first." }]);
  type("Deny 1, argument", "command");
  type("Deny 1, pattern", "rm *");
  expect(last()).toEqual([{ tool: "execute", args: { command: "rm *" }, message: "Ask first." }]);
  type("Deny 1, text that the model reads", "");
  type("Deny 1, argument", "");
  type("Deny 1, pattern", "");
  expect(last()).toEqual(["execute"]);
});

test("what is no rule stays as it is", () => {
  renderRules([{ tool: "execute", args: { command: 3 } }]);
  expect(screen.getByText('{"tool":"execute","args":{"command":3}}')).toBeDefined();
  expect(screen.queryByRole("textbox")).toBeNull();
});

test("the first words of a command stay with the rule, are edited and taken away", () => {
  const { last } = renderRules([{ tool: "execute", prefix: "npm test" }]);
  type("Deny 1, tool", "exec*");
  expect(last()).toEqual([{ tool: "exec*", prefix: "npm test" }]);
  type("Deny 1, first words of the command", "npm run build");
  expect(last()).toEqual([{ tool: "exec*", prefix: "npm run build" }]);
  fireEvent.click(screen.getByRole("button", { name: "Let Deny 1 match any command" }));
  expect(last()).toEqual(["exec*"]);
});
