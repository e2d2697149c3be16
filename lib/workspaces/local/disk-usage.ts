import { runInSandbox, type SandboxSettings } from "@/lib/workspaces/sandbox/sandbox";
import { ENTRY_BYTES } from "./local-usage";

/** Quickly measures a whole workspace; null if it can't. */
export type FastMeasure = () => Promise<number | null>;

const COMMAND = "du --summarize --block-size=1 . && du --summarize --inodes .";
const TIMEOUT_MS = 30_000;
const OUTPUT_BYTES = 4_096;

/**
 * Runs `du` in the sandbox, which is ten times as fast as counting here if there are many files. Null if `du` fails
 * because a folder can't be read: a command may have closed the folder to hide its content.
 */
export function diskUsage(settings: SandboxSettings): FastMeasure {
  return async () => {
    const result = await runInSandbox(settings, {
      argv: ["bash", "-c", COMMAND],
      readOnly: true,
      timeoutMs: TIMEOUT_MS,
      maxOutputBytes: OUTPUT_BYTES,
      stopOutputBytes: OUTPUT_BYTES,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const [, bytes, entries] = /^(\d+)\t\.\n(\d+)\t\.\n$/.exec(result.output) ?? [];
    return result.exitCode === 0 && bytes && entries ? Number(bytes) + Number(entries) * ENTRY_BYTES : null;
  };
}
