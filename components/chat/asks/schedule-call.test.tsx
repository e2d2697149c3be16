import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { CallArguments } from "@/components/chat/transcript/call-arguments";
import { ApiError, callJson } from "@/lib/client/http/api";
import { withQueries } from "@/lib/testing/react/with-queries";

vi.mock("@/lib/client/http/api", async (original) => ({
  ...(await original<typeof import("@/lib/client/http/api")>()),
  callJson: vi.fn(),
}));

afterEach(cleanup);

const CREATE = { action: "create", name: "Brief", when: "every weekday at 8", prompt: "Brief me\u202e." };
const NEXT = [1, 2, 3, 4, 7].map((day) => `2031-12-0${day}T07:00:00.000Z`);

function show(args: Record<string, unknown>) {
  const Queries = withQueries();
  render(
    <Queries>
      <CallArguments kind="schedule" args={args} />
    </Queries>,
  );
}

it("draws a schedule as a sentence with its next five times, and hides no character", async () => {
  vi.mocked(callJson).mockResolvedValue({ next: NEXT, timezone: "Europe/Berlin" });
  show(CREATE);
  expect((await screen.findAllByRole("listitem")).map(({ textContent }) => textContent)).toHaveLength(5);
  expect(screen.getAllByRole("listitem")[4]?.textContent).toMatch(/^Sun 7 Dec, 08:00/);
  expect(screen.getByText("Weekdays at 08:00, Europe/Berlin")).toBeTruthy();
  expect(screen.getByText("Brief me\\u202e.")).toBeTruthy();
  expect(document.body.textContent).not.toContain("* *");
});

it("says before it is allowed that a schedule can't be made", async () => {
  vi.mocked(callJson).mockRejectedValue(new ApiError("at: is in the past.", 400, "invalid_input", null));
  show({ ...CREATE, when: "2020-01-01T09:00" });
  expect(await screen.findByText(/is in the past/)).toBeTruthy();
});

it("shows any other call as it is", () => {
  show({ action: "delete", id: "trg_1" });
  expect(screen.getByRole("group", { name: "Code, arguments.json" }).textContent).toContain("trg_1");
});
