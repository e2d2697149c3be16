import "server-only";
import type { Hook } from "@/lib/agent/hooks/hook";
import { redactResultsHook } from "@/lib/hooks/redact-results";
import { redactSecrets } from "@/lib/server/platform/secrets/known-secrets";
import { MEMORY_TOOL_NAMES } from "@/lib/tools/memory/memory-tools";

/** These return the workspace's own text: a model that wrote it back redacted would destroy a file. */
const WORKSPACE_TOOLS = ["ls", "read_file", "write_file", "edit_file", "glob", "grep", "view_image"];

/** No result of a tool brings one of this installation's secrets into a run. */
export function redactionHook(): Hook {
  return redactResultsHook({ redact: redactSecrets, except: new Set([...WORKSPACE_TOOLS, ...MEMORY_TOOL_NAMES]) });
}
