import type { ReactNode } from "react";
import { InstallationTitle } from "@/components/shell/installation-title";

export interface AuthFrameProps {
  title: string;
  /** One sentence under the title. */
  intro: ReactNode;
  children: ReactNode;
}

/** The page before sign-in: one narrow column. */
export function AuthFrame({ title, intro, children }: AuthFrameProps) {
  return (
    <main className="flex min-h-dvh justify-center bg-background px-4 pt-[16vh] pb-10 max-sm:pt-12">
      <div className="w-full max-w-[360px]">
        <div className="mb-5 flex items-center gap-2 text-sm font-semibold">
          <InstallationTitle size={24} />
        </div>
        <h1 className="text-xl font-semibold">{title}</h1>
        <p className="mt-1 mb-5 text-sm text-muted">{intro}</p>
        {children}
      </div>
    </main>
  );
}
