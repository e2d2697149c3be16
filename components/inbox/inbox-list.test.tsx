import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { InboxList } from "./inbox-list";

afterEach(cleanup);

const BASE = {
  ...{
    threadTitle: "Release",
    agentId: "a",
    agentName: "Assistant",
    runId: "r",
    waitingSince: new Date().toISOString(),
  },
};

it("leads to the thread of every call that waits and says what is asked", () => {
  render(
    <InboxList
      approvals={[
        {
          ...BASE,
          id: "1",
          threadId: "th_1",
          kind: "approval",
          toolCallId: "c",
          tool: "execute",
          args: { command: "npm publish" },
        },
        {
          ...{ ...BASE, id: "2", threadId: "th_2", kind: "question", toolCallId: "d", tool: "ask_user", args: {} },
          questions: [{ question: "Fiscal or calendar?" }],
        },
      ]}
    />,
  );
  const links = screen.getAllByRole("link");
  expect(links.map((link) => link.getAttribute("href"))).toEqual(["/threads/th_1", "/threads/th_2"]);
  expect(links[0]?.textContent).toContain("execute · npm publish");
  expect(links[1]?.textContent).toContain("asks: Fiscal or calendar?");
});
