"use client";
import { createContext } from "react";
import type { ShareInclude } from "@/lib/schema/threads/share";

/** What a shared copy of a thread shows; null in the thread itself. */
export const SharedContext = createContext<readonly ShareInclude[] | null>(null);
