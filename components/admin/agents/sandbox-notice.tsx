import { Notice } from "@/components/ui/states/notice";
import type { AgentInfo } from "@/lib/schema/agents/agent-info";

/** Whether the agent would run commands but this machine can't sandbox them. */
export function needsSandbox({ sandbox }: Pick<AgentInfo, "sandbox">): boolean {
  return sandbox !== null && !sandbox.available;
}

/** Whether the agent's commands run, but with the rights of the server (RINGMASTER_ALLOW_UNSANDBOXED). */
export function isUnsandboxed({ sandbox }: Pick<AgentInfo, "sandbox">): boolean {
  return sandbox?.available === true && sandbox.reason !== null;
}

/** Why commands are not offered, or that they run without a sandbox, and how to fix it. Nothing if all is well. */
export function SandboxNotice({ agent }: { agent: Pick<AgentInfo, "sandbox"> }) {
  const isUnsafe = isUnsandboxed(agent);
  if (agent.sandbox === null || !(isUnsafe || needsSandbox(agent))) return null;
  return (
    <Notice
      status={isUnsafe ? "failed" : "limit"}
      title={isUnsafe ? "Commands run without a sandbox" : "Commands are not offered to this agent"}
    >
      <p>{agent.sandbox.reason ?? "No sandbox works on this machine."}</p>
      {agent.sandbox.remedy === null ? null : <p className="mt-1 text-foreground">{agent.sandbox.remedy}</p>}
    </Notice>
  );
}
