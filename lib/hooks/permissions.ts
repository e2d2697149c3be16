import type { Hook } from "@/lib/agent/hooks/hook";
import { runWithApproval } from "@/lib/agent/interrupts";
import type { RunContext } from "@/lib/agent/run-context";
import { refusedCall } from "@/lib/agent/tools/execute-tool";
import type { Tool } from "@/lib/agent/tools/tool";
import type { JudgedCall } from "@/lib/agent/tracing/call-record";
import { currentToolSpan } from "@/lib/agent/tracing/current-spans";
import { explainPermission, isOffered, type PermissionSubject } from "@/lib/permissions/explain-permission";
import { asWritten, keptSubject } from "@/lib/permissions/judge-again";
import { hasBadPath } from "@/lib/permissions/permission-rules";
import { type CallPlace, reachesOut, runsIn } from "@/lib/permissions/runs-in";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { PermissionVerdict } from "@/lib/schema/agents/permission";
import type { ToolCall } from "@/lib/schema/messages/message";
import type { InterruptDecision } from "@/lib/schema/runs/interrupt";
import { isAllowedCall, narrowingOf } from "./narrow-tools";
import { type AddressContext, addressSubject, callSubject, toolSubject } from "./tool-subject";

/** The permission settings, and the facts about the agent that they need. */
export interface PermissionOptions {
  readonly permissions: AgentConfig["permissions"];
  readonly workdir: string;
  /** Absent: an ask does not say where the call would run. */
  readonly place?: CallPlace;
}

/**
 * S2's permissions: removes from every request the tools that may never be called (D-27), and decides on each call
 * before the other hooks' rings see it. An ask leaves the call pending until a person has decided.
 */
export function permissionsHook(options: PermissionOptions): Hook {
  const { permissions, workdir, place } = options;
  const subjectOf = (tool: Tool, context: RunContext) => toolSubject(tool, workdir, context);
  return {
    name: "permissions",

    async modifyRequest(request, context) {
      const { grants } = context.interrupts;
      const tools = request.tools.filter(({ name }) => {
        const tool = context.findTool(name);
        return !tool || isOffered(name, subjectOf(tool, context), permissions, grants);
      });
      return tools.length === request.tools.length ? request : { ...request, tools };
    },

    async wrapToolCall(call, next, context) {
      const tool = context.findTool(call.name);
      if (!tool) return next(call);
      const narrowing = narrowingOf(context);
      // An inner hook refuses this call, so nobody is asked about it first.
      if (narrowing && !isAllowedCall(narrowing, call, context)) return next(call);
      const { grants } = context.interrupts;
      const subject = await addressSubject(
        callSubject(subjectOf(tool, context), tool, call.args),
        tool,
        call.args,
        addressContext(context, place),
      );
      const verdict = explainPermission({ tool: tool.name, args: call.args }, subject, permissions, grants);
      const found = call.fromText ? asWritten(verdict, tool.annotations) : verdict;
      currentToolSpan(context, call.id)?.set({
        permission: found.verdict,
        permission_by: found.by,
        ...(found.grantId === undefined ? {} : { permission_grant: found.grantId }),
        ...(found.pattern === undefined ? {} : { permission_pattern: found.pattern }),
        ...decisionAttributes(context.interrupts.decisionOf("approval", call.id)),
      });
      const whereIn = place === undefined ? null : runsIn(tool, place);
      currentToolSpan(context, call.id)?.setCall({
        ...verdictFields(found, subject, permissions.mode),
        subject: keptSubject(subject, call),
        ...decisionFields(context.interrupts.decisionOf("approval", call.id)),
        workdir,
        runsIn: whereIn,
        hadNetwork: reachesOut(tool, place),
      });
      noteGrant(found, call, context);
      if (found.verdict === "deny") return refusedCall(call, "rule", found.explanation);
      if (found.verdict === "allow" || cannotRun(call, tool, subject)) return next(call);
      const where = whereIn === null ? {} : { runsIn: whereIn };
      return runWithApproval(call, { reason: found.explanation, ...where }, next, context);
    },
  };
}

/** The addresses that people wrote in the conversation or in the agent's own prompt are known. */
function addressContext(context: RunContext, place: CallPlace | undefined): AddressContext {
  const { config, knownAddresses } = context;
  return {
    place,
    hosts: config.web.fetch.hosts,
    known: async () => {
      const known = (await knownAddresses?.()) ?? { texts: [], found: [], allowedTools: [] };
      return { ...known, texts: [config.system_prompt, ...known.texts] };
    },
  };
}

/** Records the grant, so that the call's card shows that an earlier decision allowed it. */
function noteGrant({ by, grantId, pattern }: PermissionVerdict, call: ToolCall, { log, step }: RunContext): void {
  if (by !== "grant" || grantId === undefined) return;
  const words = pattern === undefined ? {} : { pattern };
  log.emit({ type: "grant.used", step, toolCallId: call.id, grantId, ...words });
}

/** Whether the tool will reject the arguments anyway, so that nobody needs to be asked. */
function cannotRun(call: ToolCall, tool: Tool, subject: PermissionSubject): boolean {
  if (call.argsError !== undefined || !tool.parse(call.args).ok) return true;
  return hasBadPath(call.args, subject);
}

/** Span attributes for who decided what about the call that now continues. */
function decisionAttributes(decided: InterruptDecision | undefined): Record<string, unknown> {
  if (!decided) return {};
  const { decision, by, byName, via, reason, args } = decided;
  return {
    approval: decision,
    decided_by: by,
    ...(byName === undefined ? {} : { decided_by_name: byName }),
    ...(via === undefined ? {} : { decided_via: via }),
    ...(reason === undefined ? {} : { decision_reason: reason }),
    ...(args === undefined ? {} : { edited_args: JSON.stringify(args) }),
  };
}

/** The verdict for the call's row. */
function verdictFields(
  { verdict, by, rule, grantId }: PermissionVerdict,
  { aliases, unknownAddress }: PermissionSubject,
  mode: string,
): Partial<JudgedCall> {
  return {
    mode,
    verdict,
    verdictBy: by,
    rule: rule === undefined ? null : JSON.stringify(rule),
    grantId: grantId ?? null,
    aliases,
    unknownAddress: unknownAddress ?? null,
  };
}

/** The same for what a person decided. */
function decisionFields(decided: InterruptDecision | undefined): Partial<JudgedCall> {
  if (!decided) return {};
  const { decision, by, via = null, reason = null } = decided;
  return { decision, decidedBy: by, decidedVia: via, decisionReason: reason };
}
