import { isDeepStrictEqual } from "node:util";
import picomatch from "picomatch";
import { describingContext } from "@/lib/agent/describing-context";
import { messageOf, wrapTools } from "@/lib/agent/hooks/hook-chain";
import type { Tool, ToolOutcome } from "@/lib/agent/tools/tool";
import { callSubject, permissionSubject } from "@/lib/hooks/tool-subject";
import { explainPermission, isOffered } from "@/lib/permissions/explain-permission";
import { permissionSettings } from "@/lib/permissions/permission-settings";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { ToolCall } from "@/lib/schema/messages/message";
import { extensionToolRings } from "@/lib/server/extensions/tool-rings";
import { listBuiltinTools } from "@/lib/tools/builtin-tools";
import { READ_FILE } from "@/lib/tools/files/file-tool-names";

/** A call that the server makes for an agent outside of a run, where nobody can be asked. */
export interface UnattendedCall {
  readonly tool: Tool;
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * Why the agent's rules do not let the server make the call, by the same function as in a run; null if they do. A call
 * that would ask is refused, unless only the mode asks and the tool only reads. Its addresses count as known, because a
 * person wrote the call or allowed it.
 */
export function whyNotUnattended({ tool, args }: UnattendedCall, config: AgentConfig): string | null {
  const permissions = permissionSettings(config);
  const subject = callSubject(permissionSubject(tool, config.backend?.workdir ?? "/workspace", notTool), tool, args);
  if (isTakenAway(tool.name, config) || !isOffered(tool.name, subject, permissions)) {
    return `its agent does not offer ${tool.name}`;
  }
  const { verdict, by } = explainPermission({ tool: tool.name, args }, subject, permissions);
  if (verdict === "allow" || (verdict === "ask" && by === "mode" && tool.annotations.readOnly)) return null;
  if (verdict === "deny") return `the rules of its agent deny this ${tool.name} call`;
  return `the rules of its agent ask before this ${tool.name} call, and nobody is asked here`;
}

/** For whom the server makes a call, and for which run or firing. */
export interface CallPlace {
  readonly agentId: string;
  readonly userId: string;
  readonly threadId: string;
  readonly runId: string;
}

/**
 * The same, and then the hooks of extensions that the agent names: they see the call as in a run, except that nobody
 * can be asked and their `beforeAgent` has not run. Every call that the server makes for an agent asks here.
 */
export async function whyNotCall(call: UnattendedCall, config: AgentConfig, place: CallPlace): Promise<string | null> {
  return whyNotUnattended(call, config) ?? (await whyHooksRefuse(call, config, place));
}

/** The same for reading a file of the agent, by its path. */
export async function whyNotRead(config: AgentConfig, path: string, place: CallPlace): Promise<string | null> {
  const tool = listBuiltinTools().find(([{ name }]) => name === READ_FILE.name)?.[0];
  return tool ? whyNotCall({ tool, args: { path } }, config, place) : null;
}

/** A hook that has said nothing by then has not allowed the call. */
const HOOKS_LIMIT_MS = 10_000;

async function whyHooksRefuse({ tool, args }: UnattendedCall, config: AgentConfig, place: CallPlace) {
  try {
    const rings = extensionToolRings(config);
    if (rings.length === 0) return null;
    const id = `call_${place.runId}`;
    const call: ToolCall = { id, name: tool.name, args, rawArgs: JSON.stringify(args) };
    const passed: ToolCall[] = [];
    const answer = async (inner: ToolCall): Promise<ToolOutcome> => {
      passed.push(inner);
      return { kind: "result", result: { toolCallId: inner.id, name: inner.name, output: "" } };
    };
    const signal = AbortSignal.timeout(HOOKS_LIMIT_MS);
    const context = { ...describingContext(config, new Map([[tool.name, tool]])), ...place, signal };
    const outcome = await inTime(wrapTools(rings, answer, context)(call), signal);
    const [inner] = passed;
    if (outcome.kind === "result" && inner !== undefined && isDeepStrictEqual(inner.args, args)) return null;
    const said = outcome.kind === "result" ? outcome.result.error : undefined;
    return refusedBy(tool.name, said ?? "they answer it themselves or change it, which they can only do in a run");
  } catch (error) {
    return refusedBy(tool.name, messageOf(error));
  }
}

function refusedBy(tool: string, reason: string): string {
  return `the hooks of its agent refuse this ${tool} call: ${reason.replace(/\.$/, "")}`;
}

function inTime<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const stop = () => late.reject(new Error(`they did not answer within ${HOOKS_LIMIT_MS / 1_000} s`));
  signal.addEventListener("abort", stop, { once: true });
  return Promise.race([work, late.promise]).finally(() => signal.removeEventListener("abort", stop));
}

const notTool = () => false;

function isTakenAway(name: string, { tools }: Pick<AgentConfig, "tools">): boolean {
  return !Array.isArray(tools) && tools.deny.length > 0 && picomatch(tools.deny)(name);
}

/** Whether the hook runs for the agent: all do unless the agent lists its own. */
export function hasHook({ hooks }: Pick<AgentConfig, "hooks">, name: string): boolean {
  if (hooks === null) return true;
  return hooks.some((entry) => (typeof entry === "string" ? entry === name : entry.name === name && entry.enabled));
}
