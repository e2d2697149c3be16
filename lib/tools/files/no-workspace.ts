import type { Workspace } from "@/lib/agent/workspace/workspace";
import { AppError } from "@/lib/schema/app-error";

const refuse = (): never => {
  throw new AppError("internal", "This tool is only described here; it has no workspace.");
};

/** For tools and hooks that are described but never run. */
export const NO_WORKSPACE: Workspace = {
  type: "state",
  list: refuse,
  stat: refuse,
  read: refuse,
  write: refuse,
  remove: refuse,
  glob: refuse,
  grep: refuse,
};
