import { Time } from "@/components/ui/time";
import type { OwnMcpConnection } from "@/lib/schema/tools/mcp-connection";

/** Whether there is a connection, as whom and since when. */
export function ConnectionState({ connection: { state, account, connectedAt } }: { connection: OwnMcpConnection }) {
  if (state === "none" || connectedAt === null) return <span className="text-muted">Not connected</span>;
  if (state === "lost") return <span className="text-fail-text">No longer accepted by the server: connect again</span>;
  return (
    <span className="text-muted">
      Connected{account === null ? "" : ` as ${account}`}, <Time at={connectedAt} isInSentence />
    </span>
  );
}
