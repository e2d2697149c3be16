import { z } from "zod";
import { trimEndOf } from "@/lib/schema/trim-characters";

/** A relative path starts at the root of what the agent sees: `./workspace` is `/workspace` (D-74). */
const Workdir = z
  .string()
  .transform((path) => `/${trimEndOf(path.startsWith("/") ? path.slice(1) : path.replace(/^(\.\/+)+/, ""), /\//)}`)
  .pipe(
    z
      .string()
      .regex(/^\/[A-Za-z0-9_.-]+(\/[A-Za-z0-9_.-]+)*$/, "must be a path such as /workspace")
      .refine((path) => !path.split("/").includes(".."), "must not contain .."),
  );

/** The image of an agent that names none. */
export const DEFAULT_IMAGE = "python:3.12-slim";

const BackendInput = z.strictObject({
  type: z.enum(["state", "local", "docker", "remote"]).describe("docker means local with sandbox: docker."),
  sandbox: z
    .enum(["bubblewrap", "docker", "ssh", "just-bash"])
    .describe("What commands run in: bubblewrap, or containers of a Docker engine. The others are not supported yet.")
    .optional(),
  image: z
    .string()
    .regex(/^[\w][\w./:@-]{0,254}$/, "must be the name of an image, such as python:3.12-slim")
    .default(DEFAULT_IMAGE)
    .describe("The image of the containers, for sandbox: docker."),
  url: z.url().nullable().default(null),
  workdir: Workdir.default("/workspace"),
  scope: z.enum(["user", "agent", "thread", "project"]).default("user"),
  timeout_ms: z.number().int().min(1).max(3_600_000).default(120_000),
  max_output_bytes: z.number().int().min(1).max(10_000_000).default(200_000),
  network: z.boolean().default(false),
  memory_mb: z.number().int().min(16).max(1_048_576).default(1_024),
});

/** The place of the agent's files, in which its commands run. `scope` decides who shares a workspace (D-28). */
export const BackendConfig = BackendInput.transform(({ type, sandbox = "bubblewrap", ...rest }) =>
  type === "docker" ? { ...rest, type: "local" as const, sandbox: "docker" as const } : { ...rest, type, sandbox },
);
export type BackendConfig = z.output<typeof BackendConfig>;
