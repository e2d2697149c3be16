import OpenAI from "openai";
import { afterEach } from "vitest";
import * as oneResponse from "@/app/v1/responses/[responseId]/route";
import * as responses from "@/app/v1/responses/route";
import { type ServedRoutes, serveRoutes } from "@/lib/testing/clients/serve-routes";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";

/** `/v1/responses` with the agents of `startRunServer`, and OpenAI's own client for it. Closed after each test. */
export function responsesServer() {
  let server: RunServer | undefined;
  let served: ServedRoutes | undefined;
  let clientOfMember: OpenAI | undefined;

  afterEach(async () => {
    await served?.close();
    await server?.close();
    server = undefined;
    served = undefined;
    clientOfMember = undefined;
  });

  function started<Value>(value: Value | undefined): Value {
    if (value === undefined) throw new Error("Call start first.");
    return value;
  }

  const clientOf = async (user: string) => {
    const apiKey = await started(server).addKey(user, ["read", "chat"]);
    return new OpenAI({ apiKey, baseURL: `${started(served).url}/v1`, maxRetries: 0 });
  };

  return {
    async start(script: Parameters<typeof startRunServer>[0]): Promise<void> {
      server = await startRunServer(script);
      served = await serveRoutes({ "/v1/responses/[responseId]": oneResponse, "/v1/responses": responses });
      clientOfMember = await clientOf("member");
    },
    server: () => started(server),
    client: () => started(clientOfMember),
    clientOf,
    /** What the model was sent with the request of this number, counted from 0. */
    asked(number: number): string[] {
      const { messages = [] } = started(server).provider.requests[number]?.body ?? {};
      return messages.map(({ role, content }) => `${role}: ${content}`);
    },
  };
}
