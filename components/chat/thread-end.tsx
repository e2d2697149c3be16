"use client";
import { Suspense, use, useState } from "react";
import { nextTask } from "@/lib/client/http/load-in-pieces";

const ID = "thread-end";

/**
 * Lets a browser that opens a thread by its address paint first when the whole thread has arrived. Otherwise React would
 * show the skeleton, and keep it for 300 ms although the thread is there.
 */
export function WaitForThreadEnd() {
  return <link rel="expect" href={`#${ID}`} blocking="render" />;
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
  return <span id={ID} hidden />;
}
