import { z } from "zod";
import { AgentId } from "@/lib/schema/agents/agent-id";
import { PageQuery } from "@/lib/schema/page-query";
import { plainText, storedText } from "@/lib/schema/plain-text";
import { ProjectRole } from "./thread-project";

const MAX_INSTRUCTION_CHARS = 40_000;

/** A version of the project's instructions, which every prompt in it includes. Tokens are estimated. */
export const ProjectInstructions = z.object({
  number: z.number(),
  text: z.string(),
  tokens: z.number(),
  changedBy: z.string(),
  changedAt: z.string(),
});
export type ProjectInstructions = z.infer<typeof ProjectInstructions>;

export const ProjectInstructionsList = z.object({
  versions: z.array(ProjectInstructions),
  nextCursor: z.string().nullable(),
});
export type ProjectInstructionsList = z.infer<typeof ProjectInstructionsList>;

export const ProjectMember = z.object({
  userId: z.string(),
  name: z.string(),
  role: ProjectRole,
  /** Number of their runs in the project that have not ended; removing them stops these. */
  openRuns: z.number(),
});
export type ProjectMember = z.infer<typeof ProjectMember>;

export const ProjectMemberList = z.object({ members: z.array(ProjectMember) });

/** A row of the list. `role` is the caller's; null if an administrator who is not a member lists all projects. */
export const ProjectSummary = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** The agent that a new thread starts with. */
  agentId: z.string().nullable(),
  role: ProjectRole.nullable(),
  archived: z.boolean(),
  threads: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type ProjectSummary = z.infer<typeof ProjectSummary>;

export const ProjectList = z.object({ projects: z.array(ProjectSummary), nextCursor: z.string().nullable() });
export type ProjectList = z.infer<typeof ProjectList>;

export const Project = ProjectSummary.extend({
  role: ProjectRole,
  /** Null while the project has none. */
  instructions: ProjectInstructions.nullable(),
  /** Owners first. */
  members: z.array(ProjectMember),
  /** Its threads, counted by the filters of its list. */
  counts: z.object({ all: z.number(), waiting: z.number(), running: z.number(), mine: z.number() }),
  /** This month's cost of its runs, and the monthly budget if there is one; `isPartial` if some prices are unknown. */
  cost: z.object({ usd: z.number(), isPartial: z.boolean(), budgetUsd: z.number().nullable() }),
});
export type Project = z.infer<typeof Project>;

const Name = plainText(80);
const Description = plainText(200).or(z.literal(""));
const Instructions = storedText(MAX_INSTRUCTION_CHARS);

export const CreateProjectBody = z.strictObject({
  name: Name,
  description: Description.default(""),
  instructions: Instructions.default(""),
  agentId: AgentId.nullable().default(null),
});
export type CreateProjectBody = z.infer<typeof CreateProjectBody>;

export const UpdateProjectBody = z.strictObject({
  name: Name.optional(),
  description: Description.optional(),
  /** Becomes the next version. */
  instructions: Instructions.optional(),
  agentId: AgentId.nullable().optional(),
  archived: z.boolean().optional(),
});
export type UpdateProjectBody = z.infer<typeof UpdateProjectBody>;

/** POST `/api/projects/{id}/members`: adds the person, or changes their role. */
export const SetMemberBody = z
  .strictObject({
    userId: z.string().min(1).max(200).optional(),
    email: z.email().max(320).optional(),
    role: ProjectRole,
  })
  .refine(({ userId, email }) => (userId === undefined) !== (email === undefined), {
    path: ["email"],
    message: "Name the person by email address or by userId.",
  });
export type SetMemberBody = z.infer<typeof SetMemberBody>;

/** DELETE of a member: how many of their runs were stopped. */
export const RemovedMember = z.object({ stoppedRuns: z.number() });
export type RemovedMember = z.infer<typeof RemovedMember>;

/** Query of GET `/api/projects`: archived ones are listed only on request. */
export const ProjectQuery = PageQuery.extend({
  archived: z.stringbool().default(false),
  /** For administrators: includes projects they are not members of. */
  all: z.stringbool().default(false),
});
export type ProjectQuery = z.infer<typeof ProjectQuery>;
