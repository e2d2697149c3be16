import "server-only";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { PromptFile } from "@/lib/schema/agents/prompt";
import { readConfigYaml, requireConfig } from "@/lib/server/agents/config/read-config";
import { hashConfig } from "@/lib/server/agents/publish-version";
import { createId } from "@/lib/server/platform/create-id";
import type { Services } from "@/lib/server/platform/services";
import { draftSource } from "./agent-draft";

/** The version that a run of a test thread uses. */
export interface TestVersion {
  readonly versionId: string;
  readonly draftRevision: number;
  readonly config: AgentConfig;
}

/**
 * A snapshot of the current draft, stored as a version without a number, so that later segments of the run use the same
 * config; a draft identical to an earlier one reuses its snapshot. Throws `invalid_input` with the problems of an
 * invalid draft.
 */
export async function requireTestVersion(services: Services, agentId: string): Promise<TestVersion> {
  const { database } = services;
  const { yaml, files, revision: draftRevision } = await draftSource(services, agentId);
  const read = readConfigYaml(services, yaml);
  const config = requireConfig(read);
  const configHash = hashConfig(read.raw);
  const versionId = await database.exclusive(`draft ${agentId}`, async () => {
    const same = await database.agentVersion.findMany({
      where: { agentId, number: null, configHash },
      orderBy: { createdAt: "asc" },
      include: { files: true },
    });
    const known = same.find((row) => isDeepStrictEqual(byName(row.files), byName(files)));
    if (known) return known.id;
    const id = createId("av");
    const row = { id, agentId, draftRevision, config: JSON.stringify(read.raw), configHash, yaml };
    await database.$transaction([
      database.agentVersion.create({ data: row }),
      database.agentVersionFile.createMany({ data: files.map((file) => ({ ...file, agentVersionId: id })) }),
    ]);
    return id;
  });
  return { versionId, draftRevision, config };
}

function byName(files: readonly unknown[]): PromptFile[] {
  return z
    .array(PromptFile)
    .parse(files)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
