// What prepares a start (backup, migrations, a second copy of much of lib) is not needed again, but nothing unloads a
// module. And some settings of memory are read only when a process begins.
const MARK = "RINGMASTER_PREPARED";
/** Blocks from 128 KB on go back to the system when they are freed; without this glibc raises that limit to 32 MB. */
const MEMORY = { MALLOC_TRIM_THRESHOLD_: "131072", MALLOC_MMAP_THRESHOLD_: "131072" };

/**
 * Call it before anything else changes the environment or the working directory. Returns what replaces this process by a
 * new one with the same id and words, for which `isRestarted` is true; null where that is done, or not possible.
 */
export function planRestart(): (() => void) | null {
  const { execve } = process;
  if (isRestarted() || execve === undefined || process.platform === "win32") return null;
  const directory = process.cwd();
  const environment = { ...MEMORY, ...process.env, [MARK]: String(process.pid) };
  return () => {
    process.chdir(directory);
    execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], environment);
  };
}

/** Whether this process is the one that a prepared start has become. Its children inherit the mark, not the id. */
export function isRestarted(): boolean {
  return process.env[MARK] === String(process.pid);
}
