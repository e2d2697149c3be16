import { afterAll, beforeAll, expect, test } from "vitest";
import { POST as addProvider } from "@/app/api/providers/route";
import { GET as stream } from "@/app/api/runs/[runId]/stream/route";
import { PUT as upload } from "@/app/api/threads/[threadId]/files/route";
import { POST as send } from "@/app/api/threads/[threadId]/messages/route";
import { POST as newThread } from "@/app/api/threads/route";
import { GET as traceImage } from "@/app/api/traces/[traceId]/images/[hash]/route";
import { GET as traceSpan } from "@/app/api/traces/[traceId]/spans/[spanId]/route";
import { formatSize } from "@/lib/schema/files/format-size";
import { nameAttached } from "@/lib/schema/messages/attached-files";
import { createAgent } from "@/lib/server/agents/publish-version";
import { flushSpans } from "@/lib/server/traces/recorder";
import { makePdf } from "@/lib/testing/files/make-pdf";
import { makePng } from "@/lib/testing/files/make-png";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import type { ScriptedAnswer } from "@/lib/testing/servers/scripted-openai-events";

const PNG = makePng(3, 2);
const DATA_URL = `data:image/png;base64,${PNG.toString("base64")}`;

let server: RunServer;
let answers: ScriptedAnswer[] = [];
beforeAll(async () => {
  server = await startRunServer(() => answers.shift() ?? { text: "Done." });
  const { url: baseUrl } = server.provider;
  const models = [{ id: "sees", vision: true }, { id: "blind" }];
  const body = { id: "eyes", kind: "openai-compatible", name: "Eyes", baseUrl, models };
  expect((await server.call(addProvider, { as: "admin", body })).status).toBe(201);
  const permissions = { enabled: true, deny: [{ tool: "read_file", args: { path: "uploads/secret*" } }] };
  for (const [agentId, tools, more] of [
    ["sees", [], {}],
    ["blind", ["view_image"], {}],
    ["careful", [], { model: "eyes:sees", permissions }],
  ] as const) {
    const raw = { name: agentId, model: `eyes:${agentId}`, retries: 0, tools, backend: { type: "state" }, ...more };
    await createAgent(server.services, { agentId, raw, createdById: null });
  }
});
afterAll(() => server.close());

async function startThread(agentId: string, path = "uploads/a.png", bytes: Buffer = PNG) {
  const { id } = await (await server.call(newThread, { as: "member", body: { agentId } })).json();
  const form = new FormData();
  form.set("path", path);
  form.set("file", new Blob([new Uint8Array(bytes)]), "a.png");
  const request = new Request("http://127.0.0.1:3000/", { method: "PUT", body: form });
  const key = await server.addKey("member", ["chat"]);
  request.headers.set("authorization", `Bearer ${key}`);
  expect((await upload(request, { params: Promise.resolve({ threadId: id }) })).ok).toBe(true);
  return id as string;
}

/** The messages in the model calls of the run that the message starts, once it has ended. */
async function say(threadId: string, body: object) {
  const before = server.provider.requests.length;
  const reply = await server.call(send, { as: "member", params: { threadId }, body });
  const { runId, error } = await reply.json();
  if (error) return { runId: "", error, requests: [], streamed: "" };
  const streamed = await (await server.call(stream, { as: "member", params: { runId } })).text();
  return {
    runId: runId as string,
    streamed,
    requests: server.provider.requests.slice(before).map(({ body: { messages } }) => messages),
  };
}

test("a model that sees is shown the picture of a message, in later calls too, and a blind one reads of it", async () => {
  const threadId = await startThread("sees");
  const content = nameAttached("What is this?", [{ path: "uploads/a.png", sizeBytes: PNG.byteLength }]);
  const { requests } = await say(threadId, { content });
  const parts = [
    { type: "text", text: content },
    { type: "image_url", image_url: { url: DATA_URL } },
  ];
  expect(requests[0]?.at(-1)).toMatchObject({ role: "user", content: parts });
  const later = await say(threadId, { content: "And now?" });
  expect(later.requests[0]?.filter(({ role }) => role === "user")).toMatchObject([
    { content: parts },
    { content: "And now?" },
  ]);

  const blind = await startThread("blind");
  const [request] = (await say(blind, { content })).requests;
  const size = "PNG, 3 × 2 pixels, ";
  expect(request?.at(-1)?.content).toContain(`[uploads/a.png (${size}`);
  expect(request?.at(-1)?.content).toContain("this model can't see images]");
});

test("a picture that the agent may not read is named, but not shown to its model", async () => {
  const { requests } = await say(await startThread("careful", "uploads/secret.png"), {
    content: "What is this?",
    files: ["uploads/secret.png"],
  });
  expect(requests[0]?.at(-1)?.content).toContain("- uploads/secret.png (");
  const shown = await say(await startThread("careful"), { content: "And this?", files: ["uploads/a.png"] });
  expect(shown.requests[0]?.at(-1)?.content).toMatchObject([{ type: "text" }, { type: "image_url" }]);
});

test.each([
  ["whose transfer broke off", "photo.jpg", Buffer.from("/9j/4AAQSkY=", "base64"), "is damaged"],
  ["without a byte", "photo.png", Buffer.alloc(0), "is damaged"],
  ["that no model reads", "photo.heic", Buffer.from("00000018667479706865696300000000", "hex"), "is of a kind"],
])("a picture %s is named to the model and the person, and the thread goes on", async (_, name, bytes, problem) => {
  const threadId = await startThread("sees", `uploads/${name}`, bytes);
  const { requests, streamed } = await say(threadId, { content: "What is this?", files: [`uploads/${name}`] });
  expect(JSON.stringify(requests)).not.toContain("image_url");
  expect(requests[0]?.at(-1)?.content).toContain(`not shown, this picture ${problem}`);
  expect(streamed).toContain(`{"type":"data-remark","data":{"text":"${name} ${problem}`);

  answers = [{ calls: [{ name: "view_image", args: { path: `uploads/${name}` } }] }];
  const later = await say(threadId, { content: "Look again" });
  expect(later.requests[1]?.at(-1)).toMatchObject({ role: "tool" });
  expect(later.requests[1]?.at(-1)?.content).not.toContain("[Shown");
  expect(later.streamed).not.toContain("data-remark");
});

test("files are named by their paths, and one that is not there is refused", async () => {
  const threadId = await startThread("sees", "pictures/b.png");
  const { requests } = await say(threadId, { content: "", files: ["/workspace/pictures/b.png"] });
  expect(requests[0]?.at(-1)?.content).toMatchObject([
    { text: `Attached files, in the workspace:\n- pictures/b.png (${formatSize(PNG.byteLength)})` },
    { type: "image_url" },
  ]);
  const { error } = await say(threadId, { content: "Look", files: ["pictures/none.png"] });
  expect(error.message).toBe('There is no file "pictures/none.png" in the workspace. Upload it first.');
  expect((await say(threadId, { content: "" })).error.code).toBe("invalid_input");
});

test("view_image shows a picture to a model that sees, and describes it to one that does not", async () => {
  const call = { calls: [{ name: "view_image", args: { path: "uploads/a.png" } }] };
  answers = [{ calls: [...call.calls, { name: "ls", args: { path: "uploads" } }] }];
  const seen = await say(await startThread("sees"), { content: "Look at it" });
  expect(seen.requests[1]?.slice(-3).map(({ role }) => role)).toEqual(["tool", "tool", "user"]);
  expect(seen.requests[1]?.at(-1)?.content).toMatchObject([
    { type: "text", text: "[Shown by view_image]" },
    { type: "image_url", image_url: { url: DATA_URL } },
  ]);
  expect(seen.requests[1]?.at(-3)?.content).toMatch(/^uploads\/a\.png: PNG, 3 × 2 pixels, /);

  answers = [call];
  const blind = await say(await startThread("blind"), { content: "Look at it" });
  expect(blind.requests[1]?.at(-1)).toMatchObject({ role: "tool" });
  expect(blind.requests[1]?.at(-1)?.content).toContain("this model can't see images]");
});

test("a trace names the picture by its hash and serves it to those who may read the trace", async () => {
  const threadId = await startThread("sees");
  const { runId } = await say(threadId, { content: "Look", files: ["uploads/a.png"] });
  await flushSpans();
  const run = await server.database.run.findUniqueOrThrow({ where: { id: runId } });
  const { traceId } = run;
  const span = await server.database.span.findFirstOrThrow({ where: { traceId, name: "llm.call" } });
  const reply = await server.call(traceSpan, { as: "member", params: { traceId, spanId: span.id } });
  const body = await reply.json();
  const message = body.modelCall.request.fresh.at(-1);
  expect(JSON.stringify(body)).not.toContain(PNG.toString("base64"));
  expect(message.images).toMatchObject([{ path: "uploads/a.png", mediaType: "image/png", width: 3, height: 2 }]);
  const at = { traceId, hash: message.images[0].hash as string };
  const image = await server.call(traceImage, { as: "member", params: at });
  expect(image.headers.get("content-type")).toBe("image/png");
  expect(Buffer.from(await image.arrayBuffer()).equals(PNG)).toBe(true);
  expect((await server.call(traceImage, { as: "viewer", params: at })).status).toBe(404);
  const other = { ...at, hash: "0".repeat(64) };
  expect((await server.call(traceImage, { as: "member", params: other })).status).toBe(404);
});

test("read_file gives a model the text of a PDF by page, in parts too, and says why another one is not read", async () => {
  const put = async (threadId: string, path: string, bytes: Buffer) => {
    const form = new FormData();
    form.set("path", path);
    form.set("file", new Blob([new Uint8Array(bytes)]));
    const request = new Request("http://127.0.0.1:3000/", { method: "PUT", body: form });
    request.headers.set("authorization", `Bearer ${await server.addKey("member", ["chat"])}`);
    expect((await upload(request, { params: Promise.resolve({ threadId }) })).ok).toBe(true);
  };
  const threadId = await startThread("blind");
  await put(threadId, "uploads/letter.pdf", makePdf(["Dear Ada", "Yours, Charles"]));
  await put(threadId, "uploads/bomb.pdf", makePdf(["Boo"], { unpackedBytes: 101_000_000 }));
  const read = (path: string, page = {}) => ({ name: "read_file", args: { path, ...page } });
  answers = [
    { calls: [read("uploads/letter.pdf"), read("uploads/letter.pdf", { offset: 4 }), read("uploads/bomb.pdf")] },
  ];
  const { requests } = await say(threadId, { content: "Read them" });
  expect(requests[1]?.slice(-3).map(({ content }) => content)).toEqual([
    "[Page 1]\nDear Ada\n\n[Page 2]\nYours, Charles",
    "[Page 2]\nYours, Charles",
    "uploads/bomb.pdf can't be read. It unpacks to more than 100 MB. Take out what is not needed, or split it.",
  ]);
});
