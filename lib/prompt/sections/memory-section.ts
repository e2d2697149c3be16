import { givenSection } from "@/lib/prompt/section";

/** The documents of memory.paths, MEMORY.md and recent notes (S0, S3), from the memory hook. */
export const memorySection = givenSection("memory");
