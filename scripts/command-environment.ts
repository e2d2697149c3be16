import { type Environment, env } from "@/lib/server/platform/env";
import { enterProgram } from "./installation";

/** The installation that a command works on: the same variables and .env as the server's. */
export function commandEnvironment(data?: string): Environment {
  enterProgram(data);
  return env();
}
