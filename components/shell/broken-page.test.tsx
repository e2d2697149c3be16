import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "@/lib/client/http/api";
import { PartGone } from "@/lib/client/http/load-with-retry";
import { BrokenPage } from "./broken-page";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

describe("a broken page", () => {
  it("is asked from the server again by Try again, and not only drawn again", () => {
    const retry = vi.fn();
    const reset = vi.fn();
    const props = { error: new Error("x"), retry, reset };
    render(<BrokenPage {...props} />);
    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(retry).toHaveBeenCalledOnce();
    expect(reset).not.toHaveBeenCalled();
  });

  it("shows the digest of what failed on the server", () => {
    render(<BrokenPage error={Object.assign(new Error("omitted"), { digest: "2718281828" })} retry={vi.fn()} />);
    expect(screen.getByText("2718281828")).toBeTruthy();
  });

  it("shows the code and the request of a refusal", () => {
    render(<BrokenPage error={new ApiError("No database.", 503, "unavailable", "req_1")} retry={vi.fn()} />);
    expect(screen.getByText("503 · unavailable · request req_1")).toBeTruthy();
  });

  it("is loaded anew where the server has no such page any more", () => {
    const reload = vi.spyOn(window.location, "reload").mockReturnValue();
    const retry = vi.fn();
    render(<BrokenPage error={new PartGone(new Error("404"))} retry={retry} />);
    expect(screen.getByText(/^Ringmaster was updated\. Reload the page\./)).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Reload" }));
    expect(reload).toHaveBeenCalledOnce();
    expect(retry).not.toHaveBeenCalled();
    expect(screen.queryByRole("button", { name: "Try again" })).toBe(null);
  });

  it("is shown for anything that is thrown", () => {
    render(<BrokenPage error={null} retry={vi.fn()} />);
    expect(screen.getByText(/This page could not be shown/)).toBeTruthy();
  });
});
