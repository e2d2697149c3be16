import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { AgentConfigInput } from "@/lib/schema/agents/agent-config";
import type { RunHost } from "@/lib/server/engine/host";
import { extensionFolder } from "@/lib/testing/files/extension-folder";
import { boardHost, newBoard, newCard, reachedStates } from "@/lib/testing/fixtures/board-fixture";
import { addAgent } from "@/lib/testing/fixtures/run-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { requireMachine } from "@/lib/testing/setup/require-machine";

const LOCAL: AgentConfigInput = { name: "builder", model: "scripted:m", backend: { type: "local" } };

let server: TestServer;
let host: RunHost;

beforeEach(async () => {
  server = await startTestServer();
  await addAgent(server.database, "ann", { name: "ann", model: "scripted:m" });
  host = await boardHost(server.database, () => "Built.");
});
afterEach(async () => {
  await host.stop();
  await server.close();
});

test("evidence that is missing keeps a card from being done, and says what is missing", async () => {
  await addAgent(server.database, "filer", { name: "filer", model: "scripted:m", backend: { type: "state" } });
  const board = await newBoard({ members: ["ann", "filer"] });
  await newCard(board.id, { evidence: { file: "notes.md" }, assignee: "filer" });
  await newCard(board.id, { evidence: { command: "true" }, assignee: "filer" });
  const [file, command] = await reachedStates(board.id, "failed", "failed");
  expect(file).toMatchObject({ cause: "Its evidence is missing: notes.md does not exist.", partial: "Built." });
  expect(command?.evidenceState).toEqual({ ok: false, text: "Commands can't be run here: its agent has no sandbox." });
});

test.skipIf(!requireMachine("linux", "bubblewrap"))(
  "evidence by a command counts when it ends with 0 in the sandbox, and what it said stands on the card",
  async () => {
    await addAgent(server.database, "builder", LOCAL);
    const board = await newBoard({ members: ["ann", "builder"] });
    await newCard(board.id, { evidence: { command: "touch built.txt && test -f built.txt" }, assignee: "builder" });
    await newCard(board.id, { evidence: { command: "echo 2 tests failed; exit 3" }, assignee: "builder" });
    const [good, bad] = await reachedStates(board.id, "done", "failed");
    expect(good?.evidenceState).toMatchObject({ ok: true });
    expect(bad?.evidenceState).toEqual({
      ok: false,
      text: "echo 2 tests failed; exit 3 failed (exit code 3). 2 tests failed",
    });
  },
);

describe.skipIf(!requireMachine("linux", "bubblewrap"))(
  "a card's evidence command obeys the rules of its agent",
  () => {
    const command = "touch proof.txt";
    const denied = `${command} was not run: the rules of its agent deny this execute call.`;
    const asks = `${command} was not run: the rules of its agent ask before this execute call, and nobody is asked here.`;
    const absent = `${command} was not run: its agent does not offer execute.`;

    test.for<[string, Partial<AgentConfigInput>, string]>([
      ["a rule denies the tool", { permissions: { enabled: true, deny: ["execute"] } }, absent],
      ["a rule denies it by its alias", { permissions: { enabled: true, deny: ["Bash"] } }, absent],
      [
        "a rule denies this command",
        { permissions: { enabled: true, mode: "bypass", deny: [{ tool: "execute", args: { command: "touch *" } }] } },
        denied,
      ],
      ["the mode asks", { permissions: { enabled: true } }, asks],
      ["a rule asks", { permissions: { enabled: true, mode: "bypass", ask: ["execute"] } }, asks],
      [
        "another command is allowed",
        { permissions: { enabled: true, allow: [{ tool: "execute", args: { command: "npm test" } }] } },
        asks,
      ],
      ["the mode only plans", { permissions: { enabled: true, mode: "plan" } }, absent],
      ["its tools leave it out", { tools: { allow: [], deny: ["exec*"] } }, absent],
      ["its hooks offer no files", { hooks: ["permissions"] }, absent],
      ["its hooks switch the files off", { hooks: [{ name: "filesystem", enabled: false }] }, absent],
      [
        "the settings of its hook deny it",
        { hooks: ["filesystem", { name: "permissions", config: { enabled: true, deny: ["execute"] } }] },
        absent,
      ],
    ])("not run where %s, and the card says so", async ([, fields, text]) => {
      await addAgent(server.database, "builder", { ...LOCAL, ...fields });
      const board = await newBoard({ members: ["builder"], workspace: "shared" });
      await newCard(board.id, { evidence: { command } });
      const [card] = await reachedStates(board.id, "failed");
      expect(card).toMatchObject({ evidenceState: { ok: false, text }, cause: `Its evidence is missing: ${text}` });
      await newCard(board.id, { evidence: { file: "proof.txt" } });
      const [, file] = await reachedStates(board.id, "failed", "failed");
      expect(file?.evidenceState?.text).toBe("proof.txt does not exist.");
    });

    test("not run where a hook of an extension denies it", async () => {
      const guard = `import { defineHook, deny, guardHook } from "ringmaster";
        export default defineHook({ name: "closed", create: () => guardHook({ preToolUse: () => deny("Not today.") }) });`;
      const folder = await extensionFolder({ "closed.ts": guard });
      onTestFinished(() => folder.close());
      await addAgent(server.database, "builder", { ...LOCAL, hooks: ["filesystem", "closed"] });
      const board = await newBoard({ members: ["builder"] });
      await newCard(board.id, { evidence: { command } });
      const [card] = await reachedStates(board.id, "failed");
      const text = `${command} was not run: the hooks of its agent refuse this execute call: Not today.`;
      expect(card?.evidenceState).toEqual({ ok: false, text });
    });

    test("run where a rule allows exactly this command", async () => {
      const allow = [{ tool: "execute", args: { command } }];
      await addAgent(server.database, "builder", { ...LOCAL, permissions: { enabled: true, allow } });
      const board = await newBoard({ members: ["builder"] });
      await newCard(board.id, { evidence: { command } });
      const [card] = await reachedStates(board.id, "done");
      expect(card?.evidenceState).toEqual({ ok: true, text: `${command} passed` });
    });
  },
);
