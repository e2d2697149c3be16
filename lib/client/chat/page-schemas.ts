import { AgentList } from "@/lib/schema/agents/agent-info";
import { ProviderList } from "@/lib/schema/provider";
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
 * the schemas they share. Those of approvals, which every page needs, are a script of their own: evaluating both at once
 * would keep a phone busy for a tenth of a second.
 */
export const PAGE_SCHEMAS = {
  AgentList,
  CancelReply,
  CommandReply,
  CreatedThread,
  ProviderList,
  RunBudgetList,
  SendMessageReply,
  ThreadDetail,
  ThreadList,
  TranscriptPage,
};
