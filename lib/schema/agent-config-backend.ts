import { z } from "zod";

/** Where the agent's files are and its commands run. `scope` decides who shares one workspace (D-28). */
export const BackendConfig = z.strictObject({
  type: z.enum(["state", "local", "docker", "remote"]),
  image: z.string().min(1).default("python:3.12-slim"),
  url: z.url().nullable().default(null),
  workdir: z
    .string()
    .regex(/^\/[A-Za-z0-9_.-]+(\/[A-Za-z0-9_.-]+)*$/, "must be an absolute path such as /workspace")
    .refine((path) => !path.split("/").includes(".."), "must not contain ..")
    .default("/workspace"),
  scope: z.enum(["user", "agent", "thread"]).default("user"),
  timeout_ms: z.number().int().min(1).max(3_600_000).default(120_000),
  max_output_bytes: z.number().int().min(1).max(10_000_000).default(60_000),
  network: z.boolean().default(false),
  memory_mb: z.number().int().min(16).max(1_048_576).default(1_024),
});
export type BackendConfig = z.output<typeof BackendConfig>;
