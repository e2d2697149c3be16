"use client";
import { Suspense, use, useState } from "react";
import { PageEnd, WaitForEnd } from "@/components/shell/wait-for-end";
import { nextTask } from "@/lib/client/http/load-in-pieces";

const ID = "thread-end";

/** Otherwise React would show the skeleton first, and keep it for 300 ms although the thread is there. */
export function WaitForThreadEnd() {
  return <WaitForEnd id={ID} />;
}

/** What follows a thread: a server sends it after the script that puts the thread in the skeleton's place. */
export function ThreadEnd() {
  const [later] = useState(() => (typeof window === "undefined" ? nextTask() : null));
  return (
    <Suspense>
      <End after={later} />
    </Suspense>
  );
}

function End({ after }: { after: Promise<void> | null }) {
  if (after !== null) use(after);
  return <PageEnd id={ID} />;
}
