import "server-only";
import type { Hook } from "@/lib/agent/hooks/hook";
import type { PromptSection } from "@/lib/agent/model";
import type { Tool } from "@/lib/agent/tools/tool";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { boardTurnOf } from "@/lib/server/engine/run-input";
import type { Services } from "@/lib/server/platform/services";

interface TeamParts {
  readonly tools: readonly Tool[];
  readonly system: readonly PromptSection[];
  readonly hooks: readonly Hook[];
}

const NONE: TeamParts = { tools: [], system: [], hooks: [] };

/** `team_tasks` and TEAM.md, for a run on a board; for other runs, nothing is loaded or queried. */
export async function teamParts(
  services: Services,
  run: ClaimedRun,
  { tools }: Pick<AgentConfig, "tools">,
): Promise<TeamParts> {
  const turn = boardTurnOf(run);
  if (turn === null) return NONE;
  const [{ boardOfRun, describeMembers, teamBoard }, { teamTasksTool }, { teamText }, { announceBoard }] =
    await Promise.all([
      import("@/lib/server/triggers/boards/team-board"),
      import("@/lib/tools/team-tasks"),
      import("@/lib/prompt/team-text"),
      import("@/lib/server/triggers/boards/announce-board"),
    ]);
  const known = await boardOfRun(services.database, turn, run);
  if (known === null) return NONE;
  const { board, role } = known;
  const isDenied = !Array.isArray(tools) && tools.deny.includes("team_tasks");
  const tool = teamTasksTool(teamBoard(services, board, turn, run), role);
  const hooks: Hook[] = [
    {
      name: "board-progress",
      async wrapToolCall(call, next) {
        announceBoard(board);
        return next(call);
      },
    },
  ];
  if (role !== "lead") return { tools: isDenied ? [] : [tool], system: [], hooks };
  const text = teamText({
    name: board.name,
    goal: board.goal,
    maxParallel: board.maxParallel,
    members: await describeMembers(services.database, board),
    review: board.review === "person" || board.review === "other_member" ? board.review : "none",
    isShared: board.workspace === "shared",
  });
  return { tools: isDenied ? [] : [tool], system: [{ name: "team", text }], hooks };
}
