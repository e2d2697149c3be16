import { existsSync } from "node:fs";
import { type Environment, env } from "@/lib/server/platform/env";
import { projectDirectory } from "./project-directory";

/** The installation that a command works on: the same variables and .env as the server's. */
export function commandEnvironment(): Environment {
  process.chdir(projectDirectory);
  if (existsSync(".env") && process.env.RINGMASTER_NO_DOTENV !== "1") process.loadEnvFile(".env");
  return env();
}
