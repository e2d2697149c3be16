import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { Composer } from "@/components/chat/composer/composer";
import { changedFilesQuery, folderQuery } from "@/lib/client/files/file-queries";
import { composerField, typeInComposer } from "@/lib/testing/react/composer-harness";
import { useFileMentions } from "./use-file-mentions";

afterEach(cleanup);

const THREAD = "th_1";

function Mentioning() {
  const [text, setText] = useState("");
  const resources = useFileMentions(THREAD, text, setText);
  return (
    <Composer
      text={text}
      onText={setText}
      isRunning={false}
      onSend={vi.fn(async () => undefined)}
      mcp={{ prompts: [], resources, away: [] }}
      onStop={() => undefined}
      mayAttach={false}
      pickers={null}
    />
  );
}

function showComposer() {
  const client = new QueryClient();
  client.setQueryData(folderQuery(THREAD, "").queryKey, {
    path: "",
    entries: [
      { name: "docs", type: "dir", size: 0 },
      { name: "old papers", type: "dir", size: 0 },
      { name: "notes.md", type: "file", size: 12 },
      { name: "elsewhere", type: "link", size: 0 },
    ],
  });
  client.setQueryData(folderQuery(THREAD, "docs").queryKey, {
    path: "docs",
    entries: [{ name: "plan $1.md", type: "file", size: 2_048 }],
  });
  const times = { version: 1, addedLines: 1, removedLines: 0, changedAt: "2026-01-01T00:00:00.000Z" };
  client.setQueryData(changedFilesQuery(THREAD).queryKey, [
    { path: "notes.md", operation: "changed", ...times },
    { path: "out/report.csv", operation: "created", ...times },
    { path: "out/gone.csv", operation: "deleted", ...times },
  ]);
  render(
    <QueryClientProvider client={client}>
      <Mentioning />
    </QueryClientProvider>,
  );
}

const offered = () => screen.queryAllByRole("option").map((option) => option.firstChild?.textContent);

test("an @ offers the files of the workspace and those that the thread has written, each once", () => {
  showComposer();
  typeInComposer("Read @");
  expect(offered()).toEqual(["@docs/", "@notes.md", "@out/report.csv"]);
  typeInComposer("Read @rep");
  expect(offered()).toEqual(["@out/report.csv"]);
  typeInComposer("Read it");
  expect(offered()).toEqual([]);
});

test("a folder opens in the menu, and a chosen file is written as its path, by keys", () => {
  showComposer();
  typeInComposer("Read @do");
  fireEvent.keyDown(composerField(), { key: "Enter" });
  expect(composerField().value).toBe("Read @docs/");
  expect(offered()).toEqual(["@docs/plan $1.md"]);
  fireEvent.keyDown(composerField(), { key: "Enter" });
  expect(composerField().value).toBe("Read `docs/plan $1.md` ");
  expect(offered()).toEqual([]);
});

test("a file is chosen with the mouse", () => {
  showComposer();
  typeInComposer("@");
  fireEvent.click(screen.getByRole("option", { name: /notes/u }));
  expect(composerField().value).toBe("`notes.md` ");
});
