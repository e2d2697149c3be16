/** Starts a clock of this thread's processor time, in ms, so that other processes on the machine do not count. */
export function processorClock(): () => number {
  const start = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(start);
    return (user + system) / 1_000;
  };
}

/** Processor time of this thread in ms, so that other processes on the machine do not count. */
export function processorTimeMs(work: () => unknown): number {
  const elapsedMs = processorClock();
  work();
  return elapsedMs();
}
