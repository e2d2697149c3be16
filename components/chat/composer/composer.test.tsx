import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ComposerHarness, composerField, typeInComposer } from "@/lib/testing/react/composer-harness";

afterEach(cleanup);

describe("the composer", () => {
  it("sends on Enter and is empty afterwards", async () => {
    const onSend = vi.fn(async () => undefined);
    render(<ComposerHarness onSend={onSend} />);
    typeInComposer("  List files ");
    fireEvent.keyDown(composerField(), { key: "Enter" });
    expect(onSend).toHaveBeenCalledExactlyOnceWith("List files", []);
    await waitFor(() => expect(composerField().value).toBe(""));
  });

  it("sends what was typed before the scripts of its page came", async () => {
    const onSend = vi.fn(async () => undefined);
    const page = document.createElement("div");
    page.innerHTML = renderToString(<ComposerHarness onSend={onSend} />);
    document.body.append(page);
    const early = page.querySelector("textarea");
    if (early) early.value = "List files";
    const root = await act(async () => hydrateRoot(page, <ComposerHarness onSend={onSend} />));
    fireEvent.keyDown(composerField(), { key: "Enter" });
    expect(onSend).toHaveBeenCalledExactlyOnceWith("List files", []);
    await act(async () => root.unmount());
    page.remove();
  });

  it("breaks the line by Shift+Enter", () => {
    const onSend = vi.fn(async () => undefined);
    render(<ComposerHarness onSend={onSend} />);
    typeInComposer("one");
    expect(fireEvent.keyDown(composerField(), { key: "Enter", shiftKey: true })).toBe(true);
    expect(onSend).not.toHaveBeenCalled();
  });

  it("does not send on the Enter that ends a composition, which Safari reports afterwards", () => {
    const onSend = vi.fn(async () => undefined);
    render(<ComposerHarness onSend={onSend} />);
    typeInComposer("にほん");
    fireEvent.keyDown(composerField(), { key: "Enter", isComposing: true });
    fireEvent.keyDown(composerField(), { key: "Enter", keyCode: 229 });
    expect(onSend).not.toHaveBeenCalled();
  });

  it("keeps the text when the server does not accept it", async () => {
    render(<ComposerHarness onSend={() => Promise.reject(new Error("offline"))} />);
    typeInComposer("Important");
    fireEvent.keyDown(composerField(), { key: "Enter" });
    await screen.findByText("The message was not sent");
    expect(composerField().value).toBe("Important");
  });

  it("does not send twice while the first is on its way", () => {
    const onSend = vi.fn(() => new Promise<void>(() => undefined));
    render(<ComposerHarness onSend={onSend} />);
    typeInComposer("Once");
    fireEvent.keyDown(composerField(), { key: "Enter" });
    fireEvent.keyDown(composerField(), { key: "Enter" });
    expect(onSend).toHaveBeenCalledOnce();
  });

  it("stops a run by Escape and by the button", () => {
    const onStop = vi.fn();
    render(<ComposerHarness isRunning onStop={onStop} />);
    fireEvent.keyDown(composerField(), { key: "Escape" });
    fireEvent.click(screen.getByRole("button", { name: /Stop/u }));
    expect(onStop).toHaveBeenCalledTimes(2);
  });

  it("says that a run is stopping", () => {
    render(<ComposerHarness isRunning isStopping />);
    expect(screen.getByRole("button", { name: "Stopping" }).getAttribute("aria-disabled")).toBe("true");
  });

  it("keeps what is typed while a message is on its way", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    render(<ComposerHarness onSend={() => promise} />);
    typeInComposer("First");
    fireEvent.keyDown(composerField(), { key: "Enter" });
    typeInComposer("Second");
    resolve();
    await waitFor(() => expect(screen.getByRole<HTMLButtonElement>("button", { name: /^Send/u }).disabled).toBe(false));
    expect(composerField().value).toBe("Second");
  });

  it("keeps only what was added behind a message that is on its way", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    render(<ComposerHarness onSend={() => promise} />);
    typeInComposer("First");
    fireEvent.keyDown(composerField(), { key: "Enter" });
    typeInComposer("First and then");
    resolve();
    await waitFor(() => expect(composerField().value).toBe("and then"));
  });

  it("says that a message declines what waits, and can still stop it", () => {
    const onStop = vi.fn();
    render(<ComposerHarness isWaiting onStop={onStop} />);
    expect(composerField().placeholder).toBe("Sending a message denies the request above");
    fireEvent.click(screen.getByRole("button", { name: /Stop/u }));
    expect(onStop).toHaveBeenCalledOnce();
  });
});

describe("files in the composer", () => {
  const file = new File(["a,b"], "times.csv");

  it("are attached by choosing and dropping, and sent with the text or without", async () => {
    const onSend = vi.fn(async () => undefined);
    render(<ComposerHarness onSend={onSend} />);
    fireEvent.change(screen.getByLabelText("Files to attach"), { target: { files: [file] } });
    fireEvent.drop(document.body, { dataTransfer: { types: ["Files"], files: [new File(["x"], "other.txt")] } });
    expect(screen.getByRole("list", { name: "Attached files" }).textContent).toContain("other.txt");
    fireEvent.keyDown(composerField(), { key: "Enter" });
    expect(onSend).toHaveBeenCalledExactlyOnceWith("", [file, expect.any(File)]);
    await waitFor(() => expect(screen.queryByRole("list", { name: "Attached files" })).toBeNull());
  });

  it("stay when they come while a message is on its way", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    render(<ComposerHarness onSend={() => promise} />);
    fireEvent.paste(composerField(), { clipboardData: { types: ["Files"], files: [file] } });
    fireEvent.keyDown(composerField(), { key: "Enter" });
    fireEvent.drop(document.body, { dataTransfer: { types: ["Files"], files: [new File(["x"], "other.txt")] } });
    resolve();
    await waitFor(() => expect(screen.queryByText("times.csv")).toBeNull());
    expect(screen.getByText("other.txt")).toBeDefined();
  });

  it("say why no model could read them, and are not sent then", async () => {
    const refused = "long.pdf can't be read. It has 501 pages; at most 500 are read. Split it.";
    const answer = Promise.withResolvers<Response>();
    vi.stubGlobal("fetch", () => answer.promise);
    const onSend = vi.fn(async () => undefined);
    render(<ComposerHarness onSend={onSend} />);
    fireEvent.drop(document.body, { dataTransfer: { types: ["Files"], files: [new File(["%PDF-"], "long.pdf")] } });
    typeInComposer("Read it");
    fireEvent.keyDown(composerField(), { key: "Enter" });
    answer.resolve(Response.json({ refused }));
    await screen.findByText(`Remove the file first: ${refused}`);
    expect(screen.getByRole("list", { name: "Attached files" }).textContent).toBe(refused);
    expect(onSend).not.toHaveBeenCalled();
    expect(composerField().value).toBe("Read it");
    fireEvent.click(screen.getByRole("button", { name: "Remove long.pdf" }));
    fireEvent.keyDown(composerField(), { key: "Enter" });
    expect(onSend).toHaveBeenCalledExactlyOnceWith("Read it", []);
    vi.unstubAllGlobals();
  });

  it("are sent all the same if they can't be checked", async () => {
    vi.stubGlobal("fetch", async () => Response.error());
    const onSend = vi.fn(async () => undefined);
    render(<ComposerHarness onSend={onSend} />);
    fireEvent.drop(document.body, { dataTransfer: { types: ["Files"], files: [new File(["%PDF-"], "a.pdf")] } });
    fireEvent.keyDown(composerField(), { key: "Enter" });
    await waitFor(() => expect(onSend).toHaveBeenCalledExactlyOnceWith("", [expect.any(File)]));
    vi.unstubAllGlobals();
  });

  it("are attached by pasting, unless what is pasted is text", () => {
    render(<ComposerHarness />);
    fireEvent.paste(composerField(), { clipboardData: { types: ["Files"], files: [file] } });
    fireEvent.paste(composerField(), { clipboardData: { types: ["text/plain", "Files"], files: [file] } });
    expect(screen.getAllByText("times.csv")).toHaveLength(1);
    fireEvent.click(screen.getByRole("button", { name: "Remove times.csv" }));
    expect(screen.queryByText("times.csv")).toBeNull();
  });

  it("stay when the server does not accept the message", async () => {
    render(<ComposerHarness onSend={() => Promise.reject(new Error("offline"))} />);
    fireEvent.paste(composerField(), { clipboardData: { types: ["Files"], files: [file] } });
    fireEvent.keyDown(composerField(), { key: "Enter" });
    await screen.findByText("The message was not sent");
    expect(screen.getByText("times.csv")).toBeDefined();
  });

  it("are refused with a reason where the agent has no workspace", async () => {
    render(<ComposerHarness mayAttach={false} />);
    expect(screen.queryByRole("button", { name: "Attach files" })).toBeNull();
    fireEvent.drop(document.body, { dataTransfer: { types: ["Files"], files: [file] } });
    await screen.findByText("This agent has no workspace, so files can't be attached");
  });
});
