import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { ToastRegion } from "@/components/ui/overlays/toast";
import { ErrorState } from "@/components/ui/states/state-block";
import { CopyButton } from "./copy-button";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** As in a browser on a page served over plain HTTP from another machine. */
function overPlainHttp(execCommand: (command: string) => boolean) {
  vi.stubGlobal("isSecureContext", false);
  vi.stubGlobal("navigator", { userAgent: "" });
  Object.assign(document, { execCommand });
}

it("copies on a page served over plain HTTP, which has no clipboard API", async () => {
  const setData = vi.fn();
  overPlainHttp(() => {
    document.dispatchEvent(Object.assign(new Event("copy", { cancelable: true }), { clipboardData: { setData } }));
    return true;
  });
  render(<CopyButton text="rm_secret" label="Copy the key" />);
  fireEvent.click(screen.getByRole("button", { name: "Copy the key" }));
  await screen.findByRole("button", { name: "Copied" });
  expect(setData).toHaveBeenCalledExactlyOnceWith("text/plain", "rm_secret");
});

it("says so when the details of an error can't be copied", async () => {
  overPlainHttp(() => false);
  render(
    <>
      <ErrorState title="Not loaded" code="503 · unavailable">
        The database was busy.
      </ErrorState>
      <ToastRegion />
    </>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Copy details" }));
  await screen.findByText("The browser blocked copying");
});
