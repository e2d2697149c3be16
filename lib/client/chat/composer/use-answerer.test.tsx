import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { Composer } from "@/components/chat/composer/composer";
import { agentsQuery } from "@/lib/client/chat/thread-queries";
import type { AgentInfo } from "@/lib/schema/agents/agent-info";
import { composerField, typeInComposer } from "@/lib/testing/react/composer-harness";
import { useAnswerer } from "./use-answerer";

afterEach(cleanup);

function Asking() {
  const [text, setText] = useState("");
  const { agent, offered } = useAnswerer("coder", text, setText);
  return (
    <>
      <Composer
        text={text}
        onText={setText}
        isRunning={false}
        onSend={vi.fn(async () => undefined)}
        agents={offered}
        onStop={() => undefined}
        mayAttach={false}
        pickers={null}
      />
      <output>{agent?.id ?? "own"}</output>
    </>
  );
}

test("an @ offers the other agents; the chosen one answers, and its name leaves the text", () => {
  const client = new QueryClient();
  const agents = ["coder", "reviewer", "writer"].map((id) => ({ id, name: id.toUpperCase() }) as AgentInfo);
  client.setQueryData(agentsQuery.queryKey, agents);
  render(
    <QueryClientProvider client={client}>
      <Asking />
    </QueryClientProvider>,
  );
  typeInComposer("Look at this @");
  expect(screen.getAllByRole("option").map(({ textContent }) => textContent)).toEqual([
    ...["@reviewerREVIEWER answers this message", "@writerWRITER answers this message"],
  ]);
  typeInComposer("Look at this @rev");
  fireEvent.keyDown(composerField(), { key: "Enter" });
  expect(composerField().value).toBe("Look at this ");
  expect(screen.getByRole("status").textContent).toBe("reviewer");
});
