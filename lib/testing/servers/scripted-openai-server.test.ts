import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, it } from "vitest";
import {
  type ScriptedServer,
  type ScriptedServerOptions,
  startScriptedServer,
} from "@/lib/testing/servers/scripted-openai-server";

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

async function start(options: ScriptedServerOptions) {
  server = await startScriptedServer(options);
  return server;
}

function ask(
  url: string,
  messages: readonly unknown[] = [{ role: "user", content: "hi" }],
  stream = true,
): Promise<Response> {
  return fetch(`${url}/chat/completions`, { method: "POST", body: JSON.stringify({ model: "m", messages, stream }) });
}

describe("startScriptedServer", () => {
  it("streams an answer as server-sent events that end with [DONE]", async () => {
    const { url } = await start({ script: [{ text: "one two", calls: [{ name: "ls", args: { path: "." } }] }] });
    const response = await ask(url);
    const body = await response.text();
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(body).toContain('"content":"one"');
    expect(body).toContain('"content":" two"');
    expect(body).toContain('"finish_reason":"tool_calls"');
    expect(body.trimEnd().endsWith("data: [DONE]")).toBe(true);
  });

  it("sends the answer whole to a request that asks for no stream", async () => {
    const { url } = await start({ script: [{ text: "one two", calls: [{ name: "ls", args: { path: "." } }] }] });
    const body = await (await ask(url, undefined, false)).json();
    const call = { id: "call_1", type: "function", function: { name: "ls", arguments: '{"path":"."}' } };
    expect(body.choices[0]).toMatchObject({ message: { content: "one two", tool_calls: [call] } });
  });

  it("goes through its script and repeats the last answer", async () => {
    const { url } = await start({ script: [{ text: "first" }, { text: "last" }] });
    const bodies = [await (await ask(url)).text(), await (await ask(url)).text(), await (await ask(url)).text()];
    expect(bodies.map((body) => /"content":"(\w+)"/.exec(body)?.[1])).toEqual(["first", "last", "last"]);
  });

  it("finds its place in the history of a conversation that another process resumes", async () => {
    const { url } = await start({ script: [{ text: "first" }, { text: "second" }], pick: "history" });
    const history = [{ role: "user" }, { role: "assistant" }, { role: "tool" }];
    expect(await (await ask(url, history)).text()).toContain("second");
    expect(await (await ask(url)).text()).toContain("first");
  });

  it("records requests and tells when a client went away", async () => {
    const { url, request } = await start({ script: [{ text: "x", fault: { kind: "silence" } }] });
    const controller = new AbortController();
    await fetch(`${url}/chat/completions`, { method: "POST", body: '{"model":"m"}', signal: controller.signal });
    const recorded = await request(1);
    controller.abort();
    expect(recorded.body).toEqual({ model: "m" });
    expect(await recorded.closed).toBe("aborted");
  });

  it("lists its models", async () => {
    const { url } = await start({ script: [], models: ["a", "b"] });
    expect(await (await fetch(`${url}/models`)).json()).toMatchObject({ data: [{ id: "a" }, { id: "b" }] });
  });

  it("serves a script from a file as a separate process", async () => {
    const directory = await mkdtemp(path.join(tmpdir(), "scripted-"));
    const file = path.join(directory, "options.json");
    await writeFile(file, JSON.stringify({ script: [{ text: "from a file" }] }));
    const script = new URL("./scripted-openai-server.ts", import.meta.url).pathname;
    const hooks = new URL("../../../scripts/resolve-imports.ts", import.meta.url).pathname;
    const child = spawn(process.execPath, ["--import", hooks, script, file], { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = (await once(createInterface(child.stdout), "line")) as [string];
    expect(await (await ask((JSON.parse(line) as { url: string }).url)).text()).toContain(" file");
    child.kill("SIGTERM");
    await once(child, "exit");
    await rm(directory, { recursive: true });
  });
});
