import "server-only";
import type { Tool } from "@/lib/agent/tool";
import { database } from "../db";
import { env } from "../env";
import { secretBox } from "../secrets";
import { createHttpTool } from "./http-tool";

/** What a tool's secret is encrypted for. */
export function secretPurpose(name: string): string {
  return `http-tool:${name}`;
}

/** Every registered callback, or those of `names`, as tools that can be called now. */
export async function listHttpTools(names?: readonly string[]): Promise<Tool[]> {
  const rows = await database().httpTool.findMany({
    where: names ? { name: { in: [...names] } } : {},
    orderBy: { name: "asc" },
  });
  const rules = { allowedPrivateHosts: env().allowedPrivateHosts };
  return rows.map(({ name, description, parameters, callbackUrl, readOnly, secretEncrypted }) => {
    const secret = secretEncrypted ? secretBox().decrypt(secretEncrypted, secretPurpose(name)) : null;
    return createHttpTool(
      { name, description, parameters: JSON.parse(parameters), callbackUrl, readOnly, secret },
      rules,
    );
  });
}
