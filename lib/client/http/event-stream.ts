import {
  type FollowOptions,
  followEvents as follow,
  isPassingStatus,
  type StreamUpdate,
} from "@/lib/api-client/follow-events";
import { ApiError, callApi } from "./api";

/** The events of one of the server's own streams, as in `@/lib/api-client`. Throws ApiError if the server refuses. */
export function followEvents(path: string, options: FollowOptions): AsyncGenerator<StreamUpdate> {
  return follow({ open: (init) => callApi(path, init), isPassing }, options);
}

function isPassing(error: unknown): boolean {
  return !(error instanceof ApiError) || isPassingStatus(error.status);
}
