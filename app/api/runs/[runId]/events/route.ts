import { streamRoute } from "../stream-route";

export const GET = streamRoute("run", "The run's events in S4's names");
