import { expect, onTestFinished, test } from "vitest";
import { reached, runDatabase } from "@/lib/testing/fixtures/run-fixture";
import { channelOf, PostgresChannel } from "./postgres-channel";

const { database } = runDatabase();

/** A process that hears the others; `topics` are those that it was told to check again. */
async function startProcess() {
  const heard: string[] = [];
  const topics: (string | undefined)[] = [];
  const onListening = (topic?: string) => void topics.push(topic);
  const channel = new PostgresChannel(database(), { onPayload: (payload) => void heard.push(payload), onListening });
  onTestFinished(() => channel.close());
  await channel.start();
  return { channel, heard, topics };
}

test("a process hears of the runs and users to which it listens, and of what concerns all", async () => {
  const [reader, writer] = [await startProcess(), await startProcess()];
  const topic = "rows run_1";
  const other = Array.from({ length: 100 }, (_, index) => `rows run_${index}`).find(
    (name) => channelOf(name) !== channelOf(topic),
  );
  void reader.channel.listenTo(topic);
  await reached(() => reader.topics.includes(topic));
  writer.channel.send("of another run", other);
  writer.channel.send("of the run", topic);
  writer.channel.send("to all");
  await reached(() => reader.heard.includes("to all"));
  expect(reader.heard).toEqual(["of the run", "to all"]);
  reader.channel.stopListeningTo(topic);
  reader.heard.length = 0;
  writer.channel.send("too late", topic);
  writer.channel.send("to all again");
  await reached(() => reader.heard.length > 0);
  expect(reader.heard).toEqual(["to all again"]);
});
