import { continueRoute } from "../continue-route";

export const POST = continueRoute(
  "retry",
  "Retry a run of one's own that failed, was stopped or gave no answer: its failed step again, as it was sent, with the version of that run",
);
