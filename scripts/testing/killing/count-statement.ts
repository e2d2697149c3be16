let count = 0;

/** Call it before each statement. */
export function countStatement(): void {
  count += 1;
  if (count === Number(process.env.KILL_BEFORE)) process.kill(process.pid, "SIGKILL");
}
