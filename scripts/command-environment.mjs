// The installation that a command is about: the same variables and .env as the server's.
import { existsSync } from "node:fs";
import { projectDirectory } from "./prisma-cli.mjs";
import "./register-typescript.mjs";

export async function commandEnvironment() {
  process.chdir(projectDirectory);
  if (existsSync(".env") && process.env.RINGMASTER_NO_DOTENV !== "1") process.loadEnvFile(".env");
  const { env } = await import("../lib/server/platform/env.ts");
  return env();
}
