import { expect, test } from "vitest";
import { readEventStream } from "./read-event-stream";

const SENT =
  ": a comment\r\n\r\nid: 7\r\nevent: note\r\ndata: één\r\ndata: two\r\n\r\ndata:{}\n\nid: 8\ndata: 3\n\ndata: cut";

test.each([1, 2, 7, 1000])("events arrive whole however the bytes are cut: %i at a time", async (size) => {
  const bytes = new TextEncoder().encode(SENT);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
  const events: unknown[] = [];
  for await (const event of readEventStream(body)) events.push(event);
  expect(events).toEqual([{ id: "7", event: "note", data: "één\ntwo" }, { data: "{}" }, { id: "8", data: "3" }]);
});
