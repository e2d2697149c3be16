import { readUIMessageStream, type UIMessageChunk } from "ai";
import { describe, expect, test } from "vitest";
import { draftedMessage, foldUiChunk, newMessageDraft } from "@/lib/schema/messages/fold-ui-chunks";
import { UiChunk } from "@/lib/schema/messages/ui-chunk";
import type { StoredRunEvent } from "@/lib/schema/runs/run-event";
import { foldTranscript } from "@/lib/server/engine/transcript/fold-transcript";
import { uiProjection } from "@/lib/server/engine/transcript/project-ui";
import type { ChatChunk, ChatMessage } from "@/lib/server/engine/transcript/ui-projection-state";
import { encodeEvent } from "@/lib/server/http/event-stream";
import { EXAMPLE_RUNS } from "@/lib/testing/scripted/run-events";
import { agentsApiProjection } from "./project-agents-api";
import { runProjection } from "./project-run";

const RUN = { runId: "run_1", traceId: "tr_1", clientThreadId: "my-thread" };
const NAMES = Object.keys(EXAMPLE_RUNS) as (keyof typeof EXAMPLE_RUNS)[];

/** The AI SDK's message after these chunks. */
async function read(chunks: readonly UIMessageChunk[]): Promise<ChatMessage | undefined> {
  const errors: unknown[] = [];
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  let last: ChatMessage | undefined;
  for await (const message of readUIMessageStream<ChatMessage>({ stream, onError: (error) => errors.push(error) })) {
    last = message;
  }
  const reported = chunks.flatMap((chunk) => (chunk.type === "error" ? [chunk.errorText] : []));
  expect(errors.map((error) => (error instanceof Error ? error.message : error))).toEqual(reported);
  return last;
}

function uiChunks(rows: readonly StoredRunEvent[]): ChatChunk[] {
  const project = uiProjection();
  return rows.flatMap((row) => project(row));
}

test("a message does not end before it began, even if the clock was set back", () => {
  const [first, ...later] = EXAMPLE_RUNS.completed;
  if (first === undefined) throw new Error("The run has no rows.");
  const chunks = uiChunks([first, ...later.map((row) => ({ ...row, at: first.at - 3_600_000 }))]);
  const metadata = chunks.flatMap((chunk) => (chunk.type === "message-metadata" ? [chunk.messageMetadata] : []));
  expect(metadata.at(-1)).toMatchObject({ endedAtMs: first.at });
});

describe.each(NAMES)("the run that is %s", (name) => {
  const rows = EXAMPLE_RUNS[name];

  test("streams as the events of S0 and S1", async () => {
    const project = agentsApiProjection(RUN);
    const text = rows.flatMap((row) => project(row).map(encodeEvent)).join("");
    await expect(text).toMatchFileSnapshot(`golden/agents-api/${name}.txt`);
  });

  test("streams as the events of S4", async () => {
    const project = runProjection(RUN);
    const text = rows.flatMap((row) => project(row).map(encodeEvent)).join("");
    await expect(text).toMatchFileSnapshot(`golden/run/${name}.txt`);
  });

  test("streams as UI message chunks", async () => {
    const lines = uiChunks(rows).map((chunk) => JSON.stringify(chunk));
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(`golden/ui/${name}.txt`);
  });

  test("is stored as the message that the stream gives", async () => {
    expect(await foldTranscript(rows)).toEqual(await read(uiChunks(rows)));
  });

  test("is shown by the browser as the message that the stream gives", async () => {
    const draft = newMessageDraft();
    for (const chunk of uiChunks(rows)) foldUiChunk(draft, UiChunk.parse(JSON.parse(JSON.stringify(chunk))));
    expect(JSON.parse(JSON.stringify(draftedMessage(draft)))).toEqual(
      JSON.parse(JSON.stringify(await read(uiChunks(rows)))),
    );
  });

  test("gives the same message when the connection breaks after any row", async () => {
    const whole = await read(uiChunks(rows));
    for (let cut = 1; cut < rows.length; cut++) {
      const resumed = uiProjection();
      const before = rows.slice(0, cut).flatMap((row) => resumed(row));
      const first = uiChunks(rows.slice(0, cut));
      expect(before).toEqual(first);
      const after = rows.slice(cut).flatMap((row) => resumed(row));
      expect(await read([...first, ...after])).toEqual(whole);
    }
  });

  test("leaves no part open", async () => {
    const message = await read(uiChunks(rows));
    const states = (message?.parts ?? []).flatMap((part) => ("state" in part ? [part.state] : []));
    expect(states).not.toContain("streaming");
    expect(states).not.toContain("input-streaming");
    expect(states).not.toContain("input-available");
  });
});
