import { execFileSync } from "node:child_process";
import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const SIZE = "32m";
/** tmpfs allocates whole pages: the rest of a file's last page still takes lines while the disk is full. */
const PAGE_BYTES = 4_096;

/** A small separate disk for the servers' logs, which can be filled up; it has to be mounted, so only root gets one. */
export function mountLogDisk() {
  const directory = mkdtempSync(path.join(tmpdir(), "ringmaster-logs-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${SIZE}`, "soak-logs", directory]);
  const ballast = path.join(directory, "ballast");
  const files: string[] = [];
  const sizes = () => files.map((file) => statSync(file).size);
  let sizesWhenFilled: number[] = [];
  return {
    /** A file that a server may write its log to. */
    addFile(): string {
      const file = path.join(directory, `server-${files.length + 1}.log`);
      writeFileSync(file, "");
      files.push(file);
      return file;
    },
    fill(): void {
      for (const bytes of [1_048_576, PAGE_BYTES]) writeUntilFull(ballast, Buffer.alloc(bytes));
      sizesWhenFilled = sizes();
    },
    /** Frees space again. */
    free(): void {
      const grown = sizes().filter((size, index) => size > (sizesWhenFilled[index] ?? 0) + PAGE_BYTES);
      if (grown.length > 0) throw new Error("The disk of the logs was not full: a log grew on it.");
      rmSync(ballast);
    },
    /** All lines of all logs. */
    lines: () => files.flatMap((file) => readFileSync(file, "utf8").split("\n")),
    /** Copies the logs to where they outlive the disk. */
    keep(): string {
      const kept = mkdtempSync(path.join(tmpdir(), "ringmaster-soak-"));
      for (const file of files) copyFileSync(file, path.join(kept, path.basename(file)));
      return kept;
    },
    unmount(): void {
      execFileSync("umount", ["--lazy", directory]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function writeUntilFull(file: string, bytes: Uint8Array): void {
  try {
    for (;;) appendFileSync(file, bytes);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  }
}
