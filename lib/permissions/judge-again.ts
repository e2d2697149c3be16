import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { PermissionVerdict } from "@/lib/schema/agents/permission";
import type { ToolCall } from "@/lib/schema/messages/message";
import type { ToolAnnotations } from "@/lib/schema/tools/tool";
import { explainPermission, type PermissionSubject } from "./explain-permission";

/** What a call's row keeps of its subject besides the columns of their own, so that other rules can judge it later. */
interface JudgedSubject extends Pick<PermissionSubject, "approval" | "asksBecause" | "readsLike" | "unknownService"> {
  readonly argumentAliases?: PermissionSubject["argumentAliases"];
  readonly fromText?: true;
}

/** A judged call as its row has it. */
export interface RecordedCall {
  readonly tool: string;
  /** JSON. */
  readonly args: string;
  readonly annotations: string;
  readonly aliases: string;
  readonly subject: string;
  readonly pathArgument: string | null;
  readonly workdir: string | null;
  readonly unknownAddress: string | null;
}

/** JSON of JudgedSubject. */
export function keptSubject(subject: PermissionSubject, { fromText }: Pick<ToolCall, "fromText">): string {
  const { approval, asksBecause, readsLike, unknownService, argumentAliases } = subject;
  const aliases = Object.keys(argumentAliases).length === 0 ? undefined : argumentAliases;
  const kept: { [Name in keyof JudgedSubject]: JudgedSubject[Name] | undefined } = {
    ...{ approval, asksBecause, readsLike, unknownService, argumentAliases: aliases },
    ...(fromText ? { fromText: true } : {}),
  };
  return JSON.stringify(kept);
}

/** What these permissions say about calls of the past, without grants. */
export function judgeOfPast(permissions: AgentConfig["permissions"]): (call: RecordedCall) => PermissionVerdict {
  const known = new Map<string, CallContext>();
  // The calls of an agent are those of a few tools.
  const factsOf = (call: RecordedCall): CallContext => {
    const key = `${call.annotations}\n${call.aliases}\n${call.subject}`;
    const facts = known.get(key) ?? readContext(call);
    known.set(key, facts);
    return facts;
  };
  return (call) => {
    const { fromText, ...facts } = factsOf(call);
    const subject: PermissionSubject = {
      ...facts,
      workdir: call.workdir ?? "/workspace",
      ...(call.pathArgument === null ? {} : { pathArgument: call.pathArgument }),
      ...(call.unknownAddress === null ? {} : { unknownAddress: call.unknownAddress }),
    };
    const args = JSON.parse(call.args) as Record<string, unknown>;
    const found = explainPermission({ tool: call.tool, args }, subject, permissions);
    return fromText ? asWritten(found, facts.annotations) : found;
  };
}

type CallContext = Omit<PermissionSubject, "workdir" | "pathArgument" | "unknownAddress"> &
  Pick<JudgedSubject, "fromText">;

function readContext({ annotations, aliases, subject }: RecordedCall): CallContext {
  const { argumentAliases = {}, ...kept } = JSON.parse(subject) as JudgedSubject;
  const known = { annotations: JSON.parse(annotations) as ToolAnnotations, aliases: JSON.parse(aliases) as string[] };
  return { ...kept, ...known, argumentAliases };
}

/** A call that the model wrote as text may be a quotation: a person decides, unless it only reads here. */
export function asWritten(found: PermissionVerdict, { readOnly, openWorld }: ToolAnnotations): PermissionVerdict {
  const isHarmless = readOnly === true && openWorld !== true;
  if (isHarmless || found.verdict !== "allow") return found;
  return { ...found, verdict: "ask", explanation: "the model wrote this call as text" };
}
