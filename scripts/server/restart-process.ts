// What prepares a start (backup, migrations, a second copy of much of lib) is not needed again, but nothing unloads a
// module. And some settings of memory are read only when a process begins.
const MARK = "RINGMASTER_PREPARED";
/** Blocks from 128 KB on go back to the system when they are freed; without this glibc raises that limit to 32 MB. */
const MEMORY = { MALLOC_TRIM_THRESHOLD_: "131072", MALLOC_MMAP_THRESHOLD_: "131072" };

/** How far the start has come when the new process begins: only its memory is arranged, or its data as well. */
type Stage = "begun" | "prepared";

/**
 * Call it before anything else changes the environment or the working directory. Returns what replaces this process by a
 * new one with the same id and words, for which `stageOfStart` is the given one; null where everything is prepared, or
 * this is not possible.
 */
export function planRestart(): ((stage: Stage) => void) | null {
  const { execve } = process;
  if (stageOfStart() === "prepared" || execve === undefined || process.platform === "win32") return null;
  const directory = process.cwd();
  const environment = { ...MEMORY, ...process.env };
  return (stage) => {
    process.chdir(directory);
    const words = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
    execve(process.execPath, words, { ...environment, [MARK]: `${process.pid} ${stage}` });
  };
}

/** What this process has become by a restart; null if it has not. Its children inherit the mark, not the id. */
export function stageOfStart(): Stage | null {
  const [pid, stage] = (process.env[MARK] ?? "").split(" ");
  if (pid !== String(process.pid)) return null;
  return stage === "prepared" ? "prepared" : "begun";
}
