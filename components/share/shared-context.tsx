"use client";
import { createContext } from "react";
import type { ShareInclude } from "@/lib/schema/threads/share";

/** The included parts of a thread's shared copy; null in the thread itself. */
export const SharedContext = createContext<readonly ShareInclude[] | null>(null);
