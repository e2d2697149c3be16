// What programs import as "ringmaster/client": works in Node and in browsers, and imports no other package.
import {
  type ClientOptions,
  type RouteArguments,
  type RouteName,
  type RouteReply,
  readReply,
  sendTo,
} from "./call-route";
import { type FollowOptions, followRun, followStream, type StreamEvent } from "./follow-run";
import type { RunEvent } from "./run-event";

export type { ClientOptions, RouteArguments, RouteName, RouteReply } from "./call-route";
export type { FollowOptions, StreamEvent } from "./follow-run";
export { RingmasterError } from "./ringmaster-error";
export type { Routes } from "./routes";
export type { Interrupt, RunEvent, RunEvents, RunEventType, Todo } from "./run-event";

/** A route that streams. */
export type StreamName = Extract<RouteName, `GET ${string}`>;

export interface RingmasterClient {
  /**
   * Calls a route by its method and path, and gives its reply: parsed JSON, a Response for anything else. Throws
   * RingmasterError if the server refuses or does not answer.
   */
  call<Name extends RouteName>(name: Name, ...input: RouteArguments<Name>): Promise<RouteReply<Name>>;
  /**
   * The events of a run until it has ended, over as many connections as it takes. A loop that decides the interrupts of
   * a `run.waiting` goes on afterwards; one that does not ends there.
   */
  followRun(runId: string, options?: FollowOptions): AsyncGenerator<RunEvent>;
  /** The events of any other stream, such as a thread's, until the signal aborts. */
  follow<Name extends StreamName>(
    name: Name,
    ...input: RouteArguments<Name, FollowOptions>
  ): AsyncGenerator<StreamEvent>;
}

/** A client of an installation. */
export function createClient(options: ClientOptions = {}): RingmasterClient {
  return {
    async call(name, ...[input = {}]) {
      return (await readReply(await sendTo(options, name, input))) as never;
    },
    followRun: (runId, follow) => followRun(options, runId, follow),
    follow: (name, ...[input = {}]) => followStream(options, name, input),
  };
}
