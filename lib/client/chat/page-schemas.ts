import { AgentList } from "@/lib/schema/agents/agent-info";
import { ProviderList } from "@/lib/schema/provider";
import { ApprovalList, DecisionsReply, GrantList } from "@/lib/schema/runs/interrupt";
import {
  CancelReply,
  CommandReply,
  CreatedThread,
  SendMessageReply,
  ThreadDetail,
  ThreadList,
  TranscriptPage,
} from "@/lib/schema/threads/thread";
import { RunBudgetList } from "@/lib/schema/usage/budget";

/**
 * What the pages of the chat read soon after they have opened, as one script: loaded one by one, the schemas that these
 * have in common would come with each.
 */
export const PAGE_SCHEMAS = {
  AgentList,
  ApprovalList,
  CancelReply,
  CommandReply,
  CreatedThread,
  DecisionsReply,
  GrantList,
  ProviderList,
  RunBudgetList,
  SendMessageReply,
  ThreadDetail,
  ThreadList,
  TranscriptPage,
};
