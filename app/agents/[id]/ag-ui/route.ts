import { z } from "zod";
import { AgentId } from "@/lib/schema/agents/agent-id";
import { VersionQuery } from "@/lib/schema/agents/agent-version";
import { AgUiBody, AgUiDocument } from "@/lib/schema/apis/ag-ui";
import { runAgUi } from "@/lib/server/apis/ag-ui/run-ag-ui";
import { MAX_UPLOAD_BYTES } from "@/lib/server/http/read-body";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    maxBodyBytes: MAX_UPLOAD_BYTES,
    params: z.object({ id: AgentId }),
    query: VersionQuery,
    body: AgUiBody,
    bodyDocument: AgUiDocument,
    produces: "text/event-stream",
    summary: "Talk to the agent over AG-UI 1.0: new messages or answers to interrupts, streamed back as its events",
  },
  ({ services, params: { id: agentId }, query: { version }, viewer, body, signal }) =>
    runAgUi(services, { agentId, version, viewer, body, signal }),
);
