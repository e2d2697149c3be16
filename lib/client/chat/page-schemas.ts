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
 * The schemas that the chat's pages need soon after they open, as one script: loaded one by one, each would bring along
 * the schemas they share.
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
