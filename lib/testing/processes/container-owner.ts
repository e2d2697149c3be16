// Runs a command in a container until it is killed; prints a line when the command has begun.
import { createDockerBackend } from "@/lib/workspaces/docker/docker-backend";
import { createLocalWorkspace } from "@/lib/workspaces/local/local-workspace";

const [socketPath = "", image = "", root = "", installation = "", command = ""] = process.argv.slice(2);
const backend = createDockerBackend({ socketPath, runtime: null, installation });
const sandbox = { available: true, reason: null, remedy: null, mode: "docker" as const, ripgrep: false, backend };
const workspace = createLocalWorkspace({ root, sandbox, image });
const options = { timeoutMs: 100_000, maxOutputBytes: 1_000, signal: new AbortController().signal };
await workspace.execute?.("true", options);
process.stdout.write("warm\n");
await workspace.execute?.(command, options);
