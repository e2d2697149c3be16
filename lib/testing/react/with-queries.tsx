import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";

/** The `wrapper` of a render: what is drawn asks through `client`, or through one of its own. */
export function withQueries(client = new QueryClient()) {
  return function Queries({ children }: { children: ReactNode }) {
    return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
  };
}
