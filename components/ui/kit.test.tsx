import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { showToast } from "@/lib/client/ui/toast-store";
import { RunStatus } from "@/lib/schema/runs/run";
import { Diff } from "./code/diff";
import { Terminal } from "./code/terminal";
import { Button } from "./controls/button";
import { IconButton } from "./controls/icon-button";
import { ConfirmDialog, Dialog } from "./overlays/dialog";
import { Menu } from "./overlays/menu";
import { ToastRegion } from "./overlays/toast";
import { ErrorState } from "./states/state-block";
import { StateChip, StateRing } from "./states/state-ring";
import { TokenBar } from "./token-bar";

afterEach(cleanup);

describe("the kit", () => {
  it("draws eight states by eight shapes", () => {
    const shapes = RunStatus.options.map((status) => render(<StateRing status={status} />).container.innerHTML);
    const inner = shapes.map((html) => html.replace(/^<svg[^>]*>/u, ""));
    expect(new Set(inner).size).toBe(8);
  });

  it("says the state in words as well as by its shape", () => {
    render(<StateChip status="waiting" note="execute" />);
    expect(screen.getByText("Waiting").textContent).toBe("Waitingexecute");
  });

  it("opens a menu with the keyboard and runs what is chosen", async () => {
    const onAction = vi.fn();
    render(<Menu label="Thread" trigger={<Button>More</Button>} actions={[{ id: "a", label: "Rename", onAction }]} />);
    const button = screen.getByRole("button", { name: "More" });
    fireEvent.keyDown(button, { key: "ArrowDown" });
    fireEvent.keyUp(button, { key: "ArrowDown" });
    fireEvent.click(await screen.findByRole("menuitem", { name: "Rename" }));
    expect(onAction).toHaveBeenCalledOnce();
  });

  it("says of a button that switches whether it is on, and nothing of others", () => {
    const { container } = render(
      <>
        <IconButton label="Panel" active>
          P
        </IconButton>
        <IconButton label="Map" active={false}>
          M
        </IconButton>
        <IconButton label="Close">C</IconButton>
      </>,
    );
    const pressed = [...container.querySelectorAll("button")].map((button) => button.getAttribute("aria-pressed"));
    expect(pressed).toEqual(["true", "false", null]);
  });

  it("closes a dialog by Escape", () => {
    const onClose = vi.fn();
    render(
      <Dialog title="Rename thread" isOpen onClose={onClose}>
        Text
      </Dialog>,
    );
    fireEvent.keyDown(screen.getByRole("dialog", { name: "Rename thread" }), { key: "Escape" });
    expect(onClose).toHaveBeenCalledOnce();
  });

  it("takes a double click on what deletes for one", () => {
    const onConfirm = vi.fn();
    render(
      <ConfirmDialog title="Delete it?" confirmLabel="Delete" isOpen onConfirm={onConfirm} onClose={() => undefined}>
        It is gone then.
      </ConfirmDialog>,
    );
    const button = screen.getByRole("button", { name: "Delete" });
    fireEvent.click(button);
    fireEvent.click(button);
    expect(onConfirm).toHaveBeenCalledOnce();
  });

  it("takes a deletion back from its notice", () => {
    const onUndo = vi.fn();
    render(<ToastRegion />);
    showToast({ title: "Deleted", onUndo });
    return waitFor(() => screen.getByRole("button", { name: "Undo" })).then((button) => {
      fireEvent.click(button);
      expect(onUndo).toHaveBeenCalledOnce();
      expect(screen.queryByText("Deleted")).toBeNull();
    });
  });

  it("shows code and request id of an error and tries again", () => {
    const onRetry = vi.fn();
    render(
      <ErrorState title="Not loaded" code="503 · unavailable" requestId="7f3a" onRetry={onRetry}>
        The database was busy.
      </ErrorState>,
    );
    expect(screen.getByText("503 · unavailable · request 7f3a")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(onRetry).toHaveBeenCalledOnce();
  });

  it("gives a changed line a sign and numbers, never colour alone", () => {
    render(
      <Diff
        path="a.ts"
        rows={[
          { kind: "-", text: "old", oldLine: 3 },
          { kind: "+", text: "new", newLine: 3 },
        ]}
      />,
    );
    expect(screen.getByRole("group", { name: "Changes in a.ts" }).textContent).toBe("3−old3+new");
  });

  it("shows the last lines of a long output and all on demand", () => {
    const output = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join("\n");
    render(<Terminal command="npm test" output={output} exitCode={1} />);
    expect(screen.getByText("exit 1")).toBeTruthy();
    expect(screen.getByText("last 12 of 30 lines")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Show all" }));
    expect(screen.getByRole("group", { name: "Output" }).textContent).toBe(output);
  });

  it("reads the token bar aloud", () => {
    render(<TokenBar cachedTokens={1200} newInputTokens={30} outputTokens={5} />);
    expect(screen.getByRole("img", { name: "Tokens: 1,200 cached, 30 new input, 5 output" })).toBeTruthy();
  });
});
