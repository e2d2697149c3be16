import type { RequestListener, Server } from "node:http";

export function createHttpServer(handle: RequestListener): Server;
