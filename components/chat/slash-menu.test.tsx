import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Composer, type ComposerProps } from "./composer";

afterEach(cleanup);

function Harness(props: Partial<ComposerProps>) {
  const [text, setText] = useState("");
  return (
    <Composer
      text={text}
      onText={setText}
      isRunning={false}
      onSend={async () => undefined}
      onStop={() => undefined}
      queued={[]}
      onRemoveQueued={async () => true}
      mayAttach
      pickers={null}
      {...props}
    />
  );
}

function field(): HTMLTextAreaElement {
  return screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" });
}

function type(text: string) {
  fireEvent.change(field(), { target: { value: text } });
}

describe("the composer's commands", () => {
  it("offers commands after a slash, chosen by arrows and Enter, then sent by Enter", async () => {
    const onSend = vi.fn(async () => undefined);
    render(<Harness onSend={onSend} />);
    type("/s");
    expect(screen.getAllByRole("option").map(({ textContent }) => textContent?.slice(0, 5))).toEqual([
      "/stop",
      "/stop",
    ]);
    fireEvent.keyDown(field(), { key: "ArrowDown" });
    fireEvent.keyDown(field(), { key: "Enter" });
    expect(field().value).toBe("/stopall");
    expect(onSend).not.toHaveBeenCalled();
    expect(screen.queryByRole("option")).toBeNull();
    fireEvent.keyDown(field(), { key: "Enter" });
    expect(onSend).toHaveBeenCalledExactlyOnceWith("/stopall", []);
    await waitFor(() => expect(field().value).toBe(""));
  });

  it("offers the agent's skills beside the commands; the chosen one waits for what it is to do", async () => {
    const onSend = vi.fn(async () => undefined);
    const skills = [{ name: "/slides", does: "Make slides", writes: "/slides " }];
    render(<Harness onSend={onSend} skills={skills} />);
    type("/s");
    expect(screen.getAllByRole("option").map(({ textContent }) => textContent)).toContain("/slidesMake slides");
    type("/sl");
    fireEvent.keyDown(field(), { key: "Enter" });
    expect(field().value).toBe("/slides ");
    expect(screen.queryByRole("option")).toBeNull();
    type("/slides about bees");
    fireEvent.keyDown(field(), { key: "Enter" });
    expect(onSend).toHaveBeenCalledExactlyOnceWith("/slides about bees", []);
    await waitFor(() => expect(field().value).toBe(""));
  });

  it("chooses a command by a press that ends on it, so that touching the list can scroll it", () => {
    render(<Harness />);
    type("/");
    const option = screen.getByRole("option", { name: /compact/u });
    fireEvent.pointerDown(option);
    expect(field().value).toBe("/");
    fireEvent.click(option);
    expect(field().value).toBe("/compact");
  });

  it("closes the commands by Escape and leaves other text alone", () => {
    const onStop = vi.fn();
    render(<Harness isRunning onStop={onStop} />);
    type("/");
    fireEvent.keyDown(field(), { key: "Escape" });
    expect(screen.queryByRole("option")).toBeNull();
    expect(onStop).not.toHaveBeenCalled();
    type("/usr/bin");
    expect(screen.queryByRole("option")).toBeNull();
  });
});
