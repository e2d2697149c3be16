import type { ReactNode } from "react";
import { WaitForThreadEnd } from "@/components/chat/thread-end";

export default function ThreadLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <WaitForThreadEnd />
      {children}
    </>
  );
}
