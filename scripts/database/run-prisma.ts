// Runs Prisma's CLI offline for one of the two databases.
import path from "node:path";
import { projectDirectory } from "../project-directory";
import { outputOf } from "../run-command";

export type Provider = "sqlite" | "postgresql";

export const PROVIDERS = ["sqlite", "postgresql"] as const satisfies readonly Provider[];

/** The schema that a database address needs. */
export function providerOf(databaseUrl: string): Provider {
  return /^postgres(ql)?:/.test(databaseUrl) ? "postgresql" : "sqlite";
}

/** Runs `prisma …arguments` and returns what it printed; throws with its output if it fails. */
export function runPrisma(
  provider: Provider,
  prismaArguments: readonly string[],
  databaseUrl?: string,
): Promise<string> {
  const program = path.join(projectDirectory, "node_modules/prisma/build/index.js");
  const options = { cwd: projectDirectory, env: prismaEnvironment(provider, databaseUrl) };
  return outputOf(process.execPath, [program, ...prismaArguments], options);
}

function prismaEnvironment(provider: Provider, databaseUrl: string | undefined): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH ?? ""}`,
    PRISMA_SCHEMA_ENGINE_BINARY: path.join(projectDirectory, "prisma/schema-engine.ts"),
    PRISMA_HIDE_UPDATE_MESSAGE: "1",
    CHECKPOINT_DISABLE: "1",
    NO_COLOR: "1",
    RINGMASTER_DATABASE_PROVIDER: provider,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  };
}
