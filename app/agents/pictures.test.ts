import { afterAll, beforeAll, expect, test } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { POST as addProvider } from "@/app/api/providers/route";
import { POST as complete } from "@/app/v1/chat/completions/route";
import { createAgent } from "@/lib/server/agents/publish-version";
import { makePng } from "@/lib/testing/files/make-png";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";

const DATA_URL = `data:image/png;base64,${makePng(3, 2).toString("base64")}`;
const picture = (url = DATA_URL) => ({ type: "image_url" as const, image_url: { url } });
const asking = (...pictures: ReturnType<typeof picture>[]) => [
  { role: "user" as const, content: [{ type: "text" as const, text: "What is this?" }, ...pictures] },
];

let server: RunServer;
beforeAll(async () => {
  server = await startRunServer(() => ({ text: "An otter." }));
  const { url: baseUrl } = server.provider;
  const models = [{ id: "sees", vision: true }, { id: "blind" }];
  const body = { id: "eyes", kind: "openai-compatible", name: "Eyes", baseUrl, models };
  expect((await server.call(addProvider, { as: "admin", body })).status).toBe(201);
  for (const agentId of ["sees", "blind"]) {
    await createAgent(server.services, {
      agentId,
      raw: { name: agentId, model: `eyes:${agentId}`, retries: 0 },
      createdById: null,
    });
  }
});
afterAll(() => server.close());

const ask = (id: string, messages: ReturnType<typeof asking>) =>
  server.call(invoke, { as: "member", params: { id }, body: { messages } });
const chat = (id: string, messages: object[]) =>
  server.call(complete, { as: "member", body: { model: `agent:${id}`, messages } as never });
const lastAsked = () => server.provider.requests.at(-1)?.body.messages ?? [];
const seen = { role: "user", content: [{ type: "text", text: "What is this?" }, picture()] };

test("a picture sent to an agent reaches a model that sees", async () => {
  expect((await ask("sees", asking(picture()))).status).toBe(200);
  expect(lastAsked().at(-1)).toEqual(seen);
});

test("a picture of a chat completion does too, also one of an earlier turn", async () => {
  expect((await chat("sees", asking(picture()))).status).toBe(200);
  expect(lastAsked().at(-1)).toEqual(seen);
  const later = [...asking(picture()), { role: "assistant", content: "An otter." }, { role: "user", content: "Sure?" }];
  expect((await chat("sees", later)).status).toBe(200);
  expect(lastAsked().filter(({ role }) => role === "user")).toEqual([seen, { role: "user", content: "Sure?" }]);
});

test("where the model does not see, and where it is no picture, the answer says what to do", async () => {
  const refusal = async (reply: Response) => {
    const { error } = await reply.json();
    return [reply.status, error.message];
  };
  const before = server.provider.requests.length;
  const where = "messages.0.content: ";
  const blind = `${where}The model eyes:blind of this agent does not see pictures. Send text alone, or ask an agent whose model does.`;
  expect(await refusal(await ask("blind", asking(picture())))).toEqual([400, blind]);
  expect(await refusal(await chat("blind", asking(picture())))).toEqual([400, blind]);
  expect(await refusal(await ask("sees", asking(picture("https://example.org/a.png"))))).toEqual([
    ...[400, `${where}Send the picture itself as a base64 data: URL. Addresses of pictures are not fetched.`],
  ]);
  expect(await refusal(await ask("sees", asking(picture("data:image/png;base64,AAAA"))))).toEqual([
    ...[400, `${where}Picture 1 is no PNG, JPEG, GIF or WebP. Send one of these.`],
  ]);
  const broken = makePng(30, 20).subarray(0, -20).toString("base64");
  const damaged = `${where}Picture 1 is damaged. Send it again or without it.`;
  expect(await refusal(await ask("sees", asking(picture(`data:image/png;base64,${broken}`))))).toEqual([400, damaged]);
  expect(await refusal(await chat("sees", asking(picture(`data:image/png;base64,${broken}`))))).toEqual([400, damaged]);
  expect(server.provider.requests).toHaveLength(before);
});
