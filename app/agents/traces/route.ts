import { AgentTraceList, AgentTraceQuery } from "@/lib/schema/traces/agent-trace";
import { json } from "@/lib/server/http/reply";
import { listTraces } from "@/lib/server/traces/list/list-traces";
import { toAgentTraces } from "@/lib/server/traces/to-agent-trace";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "read", query: AgentTraceQuery, summary: "List traces, newest first", reply: AgentTraceList },
  async ({ services, viewer, query: { agent_id, ...filters } }) => {
    const { traces, nextCursor } = await listTraces(services, viewer, { ...filters, agentId: agent_id });
    return json(
      { traces: await toAgentTraces(services.database, traces), next_cursor: nextCursor },
      { schema: AgentTraceList },
    );
  },
);
