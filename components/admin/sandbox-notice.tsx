import { Notice } from "@/components/ui/notice";
import type { AgentInfo } from "@/lib/schema/agent-info";

/** Whether the agent would run commands but this machine can't hold them in. */
export function needsSandbox({ sandbox }: Pick<AgentInfo, "sandbox">): boolean {
  return sandbox !== null && !sandbox.available;
}

/** Why commands are not offered, and how to mend it. Nothing when they are. */
export function SandboxNotice({ agent }: { agent: Pick<AgentInfo, "sandbox"> }) {
  if (!needsSandbox(agent) || agent.sandbox === null) return null;
  return (
    <Notice status="limit" title="Commands are not offered to this agent">
      <p>{agent.sandbox.reason ?? "No sandbox works on this machine."}</p>
      {agent.sandbox.remedy === null ? null : <p className="mt-1 text-foreground">{agent.sandbox.remedy}</p>}
    </Notice>
  );
}
