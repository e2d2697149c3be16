"use client";
import { useEffect, useState } from "react";

type Fold = (text: string) => string;

const ignoreCase: Fold = (text) => text.toLowerCase();

/** `fold`, loaded once it `isNeeded`; until then, or if it can't be loaded, only case makes no difference. */
export function useFold(isNeeded: boolean): Fold {
  const [loaded, setLoaded] = useState<Fold>(() => ignoreCase);
  const isMissing = isNeeded && loaded === ignoreCase;
  useEffect(() => {
    if (!isMissing) return;
    const load = async () => {
      const { fold } = await import("@/lib/schema/fold");
      setLoaded(() => fold);
    };
    load().catch(() => undefined);
  }, [isMissing]);
  return loaded;
}
