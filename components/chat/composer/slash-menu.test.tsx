import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ComposerHarness, composerField, typeInComposer } from "@/lib/testing/react/composer-harness";

afterEach(cleanup);

describe("the composer's commands", () => {
  it("offers commands after a slash, chosen by arrows and Enter, then sent by Enter", async () => {
    const onSend = vi.fn(async () => undefined);
    render(<ComposerHarness onSend={onSend} />);
    typeInComposer("/s");
    expect(screen.getAllByRole("option").map(({ textContent }) => textContent?.slice(0, 5))).toEqual([
      "/stop",
      "/stop",
    ]);
    fireEvent.keyDown(composerField(), { key: "ArrowDown" });
    fireEvent.keyDown(composerField(), { key: "Enter" });
    expect(composerField().value).toBe("/stopall");
    expect(onSend).not.toHaveBeenCalled();
    expect(screen.queryByRole("option")).toBeNull();
    fireEvent.keyDown(composerField(), { key: "Enter" });
    expect(onSend).toHaveBeenCalledExactlyOnceWith("/stopall", []);
    await waitFor(() => expect(composerField().value).toBe(""));
  });

  it("offers the agent's skills beside the commands; the chosen one waits for its task", async () => {
    const onSend = vi.fn(async () => undefined);
    const skills = [{ name: "/slides", does: "Make slides", writes: "/slides " }];
    render(<ComposerHarness onSend={onSend} skills={skills} />);
    typeInComposer("/s");
    expect(screen.getAllByRole("option").map(({ textContent }) => textContent)).toContain("/slidesMake slides");
    typeInComposer("/sl");
    fireEvent.keyDown(composerField(), { key: "Enter" });
    expect(composerField().value).toBe("/slides ");
    expect(screen.queryByRole("option")).toBeNull();
    typeInComposer("/slides about bees");
    fireEvent.keyDown(composerField(), { key: "Enter" });
    expect(onSend).toHaveBeenCalledExactlyOnceWith("/slides about bees", []);
    await waitFor(() => expect(composerField().value).toBe(""));
  });

  it("chooses a command by a press that ends on it, so that touching the list can scroll it", () => {
    render(<ComposerHarness />);
    typeInComposer("/");
    const option = screen.getByRole("option", { name: /compact/u });
    fireEvent.pointerDown(option);
    expect(composerField().value).toBe("/");
    fireEvent.click(option);
    expect(composerField().value).toBe("/compact");
  });

  it("closes the commands by Escape and leaves other text alone", () => {
    const onStop = vi.fn();
    render(<ComposerHarness isRunning onStop={onStop} />);
    typeInComposer("/");
    fireEvent.keyDown(composerField(), { key: "Escape" });
    expect(screen.queryByRole("option")).toBeNull();
    expect(onStop).not.toHaveBeenCalled();
    typeInComposer("/usr/bin");
    expect(screen.queryByRole("option")).toBeNull();
  });
});
