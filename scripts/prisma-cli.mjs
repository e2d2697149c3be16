// Runs Prisma's CLI offline for one of the two databases.
import { spawn } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { endTogether } from "./end-together.mjs";

export const projectDirectory = fileURLToPath(new URL("..", import.meta.url));
export const PROVIDERS = ["sqlite", "postgresql"];

/** Which of the two schemas a database address belongs to. */
export function providerOf(databaseUrl) {
  return /^postgres(ql)?:/.test(databaseUrl) ? "postgresql" : "sqlite";
}

/** Runs `prisma …arguments` and returns what it printed; throws with its output when it fails. */
export async function runPrisma(provider, prismaArguments, databaseUrl = undefined) {
  const program = path.join(projectDirectory, "node_modules/prisma/build/index.js");
  const env = prismaEnvironment(provider, databaseUrl);
  const options = { cwd: projectDirectory, env, stdio: ["ignore", "pipe", "pipe"] };
  const child = endTogether(spawn(process.execPath, [program, ...prismaArguments], options));
  const chunks = { stdout: [], all: [] };
  child.stdout.on("data", (chunk) => chunks.stdout.push(chunk) && chunks.all.push(chunk));
  child.stderr.on("data", (chunk) => chunks.all.push(chunk));
  const code = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  if (code === 0) return Buffer.concat(chunks.stdout).toString();
  throw new Error(`prisma ${prismaArguments.join(" ")} (${provider}) failed:\n${Buffer.concat(chunks.all)}`);
}

function prismaEnvironment(provider, databaseUrl) {
  return {
    ...process.env,
    PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH ?? ""}`,
    PRISMA_SCHEMA_ENGINE_BINARY: path.join(projectDirectory, "prisma/schema-engine.mjs"),
    PRISMA_HIDE_UPDATE_MESSAGE: "1",
    CHECKPOINT_DISABLE: "1",
    NO_COLOR: "1",
    RINGMASTER_DATABASE_PROVIDER: provider,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  };
}
