import { afterEach, expect, test } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { createAgent } from "@/lib/server/agents/publish-version";
import { listChangedFiles } from "@/lib/server/file-access/file-versions";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { requireMachine } from "@/lib/testing/setup/require-machine";

let server: RunServer;
afterEach(() => server.close());

const LOCAL = { name: "Runner", model: "scripted:m", retries: 0, backend: { type: "local" } };

test.skipIf(!requireMachine("linux", "bubblewrap"))(
  "a folder that a command exchanges for a link does not hide what else it did",
  async () => {
    const write = { name: "write_file", args: { path: "src/a.txt", content: "a\n" } };
    const command = { name: "execute", args: { command: "mv src moved && ln -s moved src && echo b > new.txt" } };
    const answers = [{ calls: [write] }, { calls: [command] }, { text: "Done." }];
    let step = 0;
    server = await startRunServer(() => answers[step++] ?? { text: "?" });
    await createAgent(server.services, { agentId: "runner", raw: LOCAL, createdById: null });
    const body = { messages: [{ role: "user", content: "go" }] };
    const reply = await server.call(invoke, { as: "member", params: { id: "runner" }, body });
    const { files } = await reply.json();
    expect([files["new.txt"], files["src/a.txt"]]).toEqual(["b\n", undefined]);
  },
);

test.skipIf(!requireMachine("linux", "bubblewrap"))(
  "files that a command makes, changes and removes are among those that its thread changed",
  async () => {
    const write = { name: "write_file", args: { path: "old.txt", content: "old\n" } };
    const command = "printf 'a\\nb\\n' > made.txt; echo more >> kept.txt; rm old.txt; head -c 9 /dev/zero > binary";
    const kept = { name: "write_file", args: { path: "kept.txt", content: "kept\n" } };
    const answers = [{ calls: [write, kept] }, { calls: [{ name: "execute", args: { command } }] }, { text: "Done." }];
    let step = 0;
    server = await startRunServer(() => answers[step++] ?? { text: "?" });
    await createAgent(server.services, { agentId: "runner", raw: LOCAL, createdById: null });
    const body = { messages: [{ role: "user", content: "go" }] };
    const reply = await server.call(invoke, { as: "member", params: { id: "runner" }, body });
    expect((await reply.json()).files).toEqual({ "kept.txt": "kept\nmore\n", "made.txt": "a\nb\n" });
    const thread = await server.database.thread.findFirstOrThrow();
    const changed = await listChangedFiles(server.database, thread);
    expect(changed.map(({ path, operation, version }) => `${operation} ${path} ${version}`).toSorted()).toEqual([
      "created kept.txt 2",
      "created made.txt 1",
      "deleted old.txt 2",
    ]);
    const made = await server.database.fileVersion.findFirstOrThrow({ where: { path: "made.txt" } });
    expect(made).toMatchObject({ runId: expect.any(String), spanId: expect.stringMatching(/^sp_/), addedLines: 2 });
  },
);
