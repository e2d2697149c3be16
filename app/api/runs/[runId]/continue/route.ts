import { continueRoute } from "../continue-route";

export const POST = continueRoute(
  "continue",
  "Continue a run of one's own that was stopped, reached a limit or was cut: from its finished steps, with the agent's current version",
);
