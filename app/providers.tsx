"use client";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { ThemeProvider } from "next-themes";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { type ReactNode, useState } from "react";
import { ToastRegion } from "@/components/ui/overlays/toast";
import { ApiError } from "@/lib/client/http/api";

/** A refusal is final; only silence and overload are retried. */
function shouldRetry(failures: number, error: Error): boolean {
  const isPassing = error instanceof ApiError && (error.status === 0 || error.status >= 502);
  return isPassing && failures < 2;
}

export function Providers({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  const [queryClient] = useState(
    () => new QueryClient({ defaultOptions: { queries: { staleTime: 5000, retry: shouldRetry } } }),
  );
  return (
    <ThemeProvider attribute={["class", "data-theme"]} defaultTheme="system" enableSystem nonce={nonce}>
      <QueryClientProvider client={queryClient}>
        <NuqsAdapter>{children}</NuqsAdapter>
        <ToastRegion />
      </QueryClientProvider>
    </ThemeProvider>
  );
}
