/** Called by Next once per process, before the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { startServer } = await import("@/lib/server/wiring/start-server");
  const { reportStartFailure } = await import("@/lib/server/wiring/start-context");
  try {
    await startServer();
  } catch (error) {
    reportStartFailure(error);
    throw error;
  }
}
