import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";

/** The `wrapper` of a render: provides `client`, by default a new one, for queries. */
export function withQueries(client = new QueryClient()) {
  return function Queries({ children }: { children: ReactNode }) {
    return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
  };
}
