import { streamRoute } from "../stream-route";

export const GET = streamRoute("ui", "The run as an AI SDK UI message stream");
