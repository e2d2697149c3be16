import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterEach, describe, expect, it, vi } from "vitest";
import { useDraft } from "@/lib/client/chat/composer/use-draft";
import { ComposerHarness, composerField, typeInComposer } from "@/lib/testing/react/composer-harness";

afterEach(cleanup);

/** What the menu offers, top to bottom. */
const options = () => screen.queryAllByRole("option").map(({ textContent }) => textContent);

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

  it("finds names in any case, with or without accents", async () => {
    const skills = [{ name: "/Übersetzen", does: "Translate", writes: "/Übersetzen " }];
    render(<ComposerHarness skills={skills} />);
    typeInComposer("/uber");
    expect((await screen.findByRole("option")).textContent).toBe("/ÜbersetzenTranslate");
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

describe("the menu of a text that nobody types now", () => {
  const skills = [{ name: "/daily-review", does: "A prompt of yours", writes: "Review." }];

  it.each([true, false])(
    "opens where it stood in the field before the page's scripts came (focused: %s)",
    async (isFocused) => {
      const page = document.createElement("div");
      page.innerHTML = renderToString(<ComposerHarness skills={skills} />);
      document.body.append(page);
      const early = page.querySelector("textarea");
      if (isFocused) early?.focus();
      if (early) early.value = "/daily";
      const root = await act(async () => hydrateRoot(page, <ComposerHarness skills={skills} />));
      expect(options()).toEqual(["/daily-reviewA prompt of yours"]);
      expect(composerField().value).toBe("/daily");
      await act(async () => root.unmount());
      page.remove();
    },
  );

  /** The composer of a page that keeps what is typed. */
  function Page() {
    const { text, setText } = useDraft("new:ada");
    return <ComposerHarness text={text} onText={setText} skills={skills} />;
  }

  it("opens where it is written over a draft that comes with the page's scripts, and the draft stays without it", async () => {
    localStorage.setItem("ringmaster-draft:new:ada", "/daily");
    const page = document.createElement("div");
    page.innerHTML = renderToString(<Page />);
    document.body.append(page);
    const field = page.querySelector("textarea");
    field?.focus();
    const root = await act(async () => hydrateRoot(page, <Page />));
    expect(options()).toEqual(["/daily-reviewA prompt of yours"]);
    expect([field?.value, field?.selectionStart, field?.selectionEnd]).toEqual(["/daily", 0, "/daily".length]);
    // A browser puts what is typed in the place of what is selected.
    typeInComposer("/da");
    expect(options()).toEqual(["/daily-reviewA prompt of yours"]);
    expect([field?.selectionStart, field?.selectionEnd]).toEqual([3, 3]);
    await act(async () => root.unmount());
    page.remove();
    localStorage.clear();
  });

  it("opens as the list arrives", () => {
    const { rerender } = render(<ComposerHarness skills={[]} />);
    typeInComposer("/daily");
    expect(options()).toEqual([]);
    rerender(<ComposerHarness skills={skills} />);
    expect(options()).toEqual(["/daily-reviewA prompt of yours"]);
  });
});

describe("what MCP servers add to the menus", () => {
  const mcp = () => ({
    prompts: [{ name: "/forge:Review", does: "Review a text", onChoose: vi.fn() }],
    resources: [{ name: "@forge:Notes", does: "note://one", key: "forge note://one", onChoose: vi.fn() }],
    away: ["The MCP server old did not answer: refused"],
  });

  it("offers prompts after a slash beside the commands, chosen by Enter also when written out", () => {
    const offers = mcp();
    const onSend = vi.fn(async () => undefined);
    render(<ComposerHarness mcp={offers} onSend={onSend} />);
    typeInComposer("/");
    expect(screen.getAllByRole("option").map(({ textContent }) => textContent)).toContain("/forge:ReviewReview a text");
    expect(screen.getByRole("option", { name: /stopall/u })).toBeDefined();
    expect(screen.getByRole("status").textContent).toContain("The MCP server old did not answer");
    typeInComposer("/forge:Review");
    fireEvent.keyDown(composerField(), { key: "Enter" });
    expect(offers.prompts[0]?.onChoose).toHaveBeenCalledOnce();
    expect(onSend).not.toHaveBeenCalled();
  });

  it("offers resources after an @ that begins a word, found by name and address", () => {
    const offers = mcp();
    render(<ComposerHarness mcp={offers} />);
    typeInComposer("mail ada@not");
    expect(screen.queryByRole("option")).toBeNull();
    typeInComposer("Read @NOTE:");
    fireEvent.click(screen.getByRole("option", { name: /forge:Notes/u }));
    expect(offers.resources[0]?.onChoose).toHaveBeenCalledOnce();
  });

  it("offers names that begin with what follows the @ first, then parts of paths, of names, and descriptions", () => {
    const named = (name: string, does: string) => ({ name, does, onChoose: vi.fn() });
    const agents = [named("@critic", "Does not write"), named("@cannot", "An agent")];
    const resources = [named("@docs/notes.md", "File"), named("@Notes.md", "File"), named("@plan.md", "File")];
    render(<ComposerHarness agents={agents} mcp={{ prompts: [], resources, away: [] }} />);
    typeInComposer("Look at @not");
    expect(options()).toEqual(["@Notes.mdFile", "@docs/notes.mdFile", "@cannotAn agent", "@criticDoes not write"]);
    fireEvent.keyDown(composerField(), { key: "Enter" });
    expect(resources[1]?.onChoose).toHaveBeenCalledOnce();
  });

  it("says that a server is away where it has nothing else to offer, until Escape", () => {
    const onStop = vi.fn();
    render(<ComposerHarness isRunning onStop={onStop} mcp={{ ...mcp(), resources: [] }} />);
    typeInComposer("Read @");
    expect(screen.getByRole("status").textContent).toContain("did not answer");
    fireEvent.keyDown(composerField(), { key: "Escape" });
    expect(screen.queryByRole("status")).toBeNull();
    expect(onStop).not.toHaveBeenCalled();
  });
});
