"use client";
import { QueryClientProvider } from "@tanstack/react-query";
import { ThemeProvider } from "next-themes";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { type ReactNode, useState } from "react";
import { ToastRegion } from "@/components/ui/overlays/toast";
import { ApiError } from "@/lib/client/http/api";
import { PageQueryClient } from "@/lib/client/http/page-query-client";
import { InstallationName } from "@/lib/client/ui/installation-name";

/** A refusal is final; only missing responses and overload are retried. */
function shouldRetry(failures: number, error: Error): boolean {
  const isPassing = error instanceof ApiError && (error.status === 0 || error.status >= 502);
  return isPassing && failures < 2;
}

export interface ProvidersProps {
  nonce: string | undefined;
  /** The installation's name. */
  name: string;
  children: ReactNode;
}

export function Providers({ nonce, name, children }: ProvidersProps) {
  const [queryClient] = useState(
    () =>
      new PageQueryClient({
        defaultOptions: {
          queries: { staleTime: 5000, retry: shouldRetry },
          // A mutation that can't be stored fails at once, instead of waiting unseen until the network is back.
          mutations: { networkMode: "always" },
        },
      }),
  );
  return (
    <ThemeProvider attribute={["class", "data-theme"]} defaultTheme="system" enableSystem nonce={nonce}>
      <QueryClientProvider client={queryClient}>
        <InstallationName value={name}>
          <NuqsAdapter>{children}</NuqsAdapter>
        </InstallationName>
        <ToastRegion />
      </QueryClientProvider>
    </ThemeProvider>
  );
}
