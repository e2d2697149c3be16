import "server-only";
import { invalidField } from "@/lib/schema/app-error";
import { extensionTools } from "@/lib/server/extensions/extension-tools";
import { env } from "@/lib/server/platform/env";
import { checkDestination, OutgoingRequestRefused } from "@/lib/server/platform/safe-fetch";
import { readParameters } from "@/lib/server/tools/json-schema-check";
import { builtinToolInfos } from "@/lib/tools/builtin-tools";

/** Throws `invalid_input` for the name of a built-in tool or of an extension's. */
export function refuseTaken(name: string): void {
  if (![...builtinToolInfos(), ...extensionTools()].some((tool) => tool.name === name)) return;
  throw invalidField("name", `"${name}" is the name of a built-in tool. Choose another.`);
}

/** Throws `invalid_input` for what is not the schema of an object, or can't be checked. */
export function checkParameters(path: string, parameters: Record<string, unknown>): void {
  if (parameters.type !== "object") throw invalidField(path, 'Must be a JSON Schema with type "object".');
  try {
    readParameters(parameters);
  } catch (error) {
    throw invalidField(path, `Not a JSON Schema that can be checked: ${error instanceof Error ? error.message : ""}`);
  }
}

/** Throws `invalid_input` for an address that may not be called. */
export async function checkAddress(path: string, address: string): Promise<void> {
  try {
    await checkDestination(address, { allowedPrivateHosts: env().allowedPrivateHosts });
  } catch (error) {
    if (error instanceof OutgoingRequestRefused) throw invalidField(path, error.message);
    throw error;
  }
}

interface ToolColumns {
  readonly description: string;
  readonly callbackUrl: string;
  readonly readOnly: boolean;
  readonly secretEncrypted: string | null;
}

/** What the audit shows: only the host of an address, which may have a token in its path or query. */
export function auditedTool({ description, callbackUrl, readOnly, secretEncrypted }: ToolColumns) {
  return { host: new URL(callbackUrl).host, description, readOnly, signed: secretEncrypted !== null };
}
