import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { ToastRegion } from "@/components/ui/overlays/toast";
import { withQueries } from "@/lib/testing/react/with-queries";
import { useFileUpload } from "./use-file-upload";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const FILES = ["a.txt", "b.txt", "c.txt"].map((name) => new File(["x"], name));

function Page() {
  const { uploading, upload } = useFileUpload("th", "notes");
  return (
    <button type="button" onClick={() => void upload(FILES)}>
      {uploading ?? "Upload"}
    </button>
  );
}

test("each file is named while it is on its way, one that fails stops no other", async () => {
  const paths: unknown[] = [];
  const answers: ((reply: Response) => void)[] = [];
  vi.stubGlobal("fetch", (_path: string, { body }: RequestInit) => {
    paths.push((body as FormData).get("path"));
    return new Promise<Response>((resolve) => answers.push(resolve));
  });
  render(
    <>
      <Page />
      <ToastRegion />
    </>,
    { wrapper: withQueries() },
  );
  fireEvent.click(screen.getByRole("button", { name: "Upload" }));
  await screen.findByRole("button", { name: "a.txt" });
  answers[0]?.(new Response(null, { status: 204 }));
  await screen.findByRole("button", { name: "b.txt" });
  answers[1]?.(Response.json({ error: { code: "too_large", message: "It is too large." } }, { status: 413 }));
  await screen.findByText("b.txt was not uploaded");
  await screen.findByRole("button", { name: "c.txt" });
  answers[2]?.(new Response(null, { status: 204 }));
  await screen.findByText("2 files uploaded");
  await waitFor(() => expect(screen.getByRole("button", { name: "Upload" })).toBeTruthy());
  expect(paths).toEqual(["notes/a.txt", "notes/b.txt", "notes/c.txt"]);
});
