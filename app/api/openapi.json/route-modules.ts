import * as agentsIdChatChatidStream from "../../agents/[id]/chat/[chatId]/stream/route";
import * as agentsIdChat from "../../agents/[id]/chat/route";
import * as agentsIdFilesDownload from "../../agents/[id]/files/download/route";
import * as agentsIdFilesList from "../../agents/[id]/files/list/route";
import * as agentsIdFilesRead from "../../agents/[id]/files/read/route";
import * as agentsIdFilesUpload from "../../agents/[id]/files/upload/route";
import * as agentsIdFlow from "../../agents/[id]/flow/route";
import * as agentsIdHooks from "../../agents/[id]/hooks/route";
import * as agentsIdInvoke from "../../agents/[id]/invoke/route";
import * as agentsIdResume from "../../agents/[id]/resume/route";
import * as agentsId from "../../agents/[id]/route";
import * as agentsIdStream from "../../agents/[id]/stream/route";
import * as agentsIdThreadsThreadid from "../../agents/[id]/threads/[threadId]/route";
import * as agentsHooksAvailable from "../../agents/hooks/available/route";
import * as agents from "../../agents/route";
import * as agentsSkillsAvailable from "../../agents/skills/available/route";
import * as agentsToolsName from "../../agents/tools/[name]/route";
import * as agentsToolsAvailable from "../../agents/tools/available/route";
import * as agentsToolsRegister from "../../agents/tools/register/route";
import * as agentsTracesId from "../../agents/traces/[id]/route";
import * as agentsTraces from "../../agents/traces/route";
import * as health from "../../health/route";
import * as hooksHookid from "../../hooks/[hookId]/route";
import * as hooksChannelsChannelid from "../../hooks/channels/[channelId]/route";
import * as v1ChatCompletions from "../../v1/chat/completions/route";
import * as v1ModelsModel from "../../v1/models/[model]/route";
import * as v1Models from "../../v1/models/route";
import * as apiAccountLinksLook from "../account-links/look/route";
import * as apiAccountLinks from "../account-links/route";
import * as apiAccountLinksSend from "../account-links/send/route";
import * as apiAgentActivity from "../agent-activity/route";
import * as apiAgentSchema from "../agent-schema/route";
import * as apiAgentTemplates from "../agent-templates/route";
import * as apiAgentsAgentidAliasesName from "../agents/[agentId]/aliases/[name]/route";
import * as apiAgentsAgentidAliases from "../agents/[agentId]/aliases/route";
import * as apiAgentsAgentidCompare from "../agents/[agentId]/compare/route";
import * as apiAgentsAgentidDelegates from "../agents/[agentId]/delegates/route";
import * as apiAgentsAgentidDraft from "../agents/[agentId]/draft/route";
import * as apiAgentsAgentidDuplicate from "../agents/[agentId]/duplicate/route";
import * as apiAgentsAgentidExport from "../agents/[agentId]/export/route";
import * as apiAgentsAgentidMcpPrompts from "../agents/[agentId]/mcp-prompts/route";
import * as apiAgentsAgentidMcpResources from "../agents/[agentId]/mcp-resources/route";
import * as apiAgentsAgentidPermissionsTest from "../agents/[agentId]/permissions/test/route";
import * as apiAgentsAgentidPreviewContext from "../agents/[agentId]/preview-context/route";
import * as apiAgentsAgentidPreviewFlow from "../agents/[agentId]/preview-flow/route";
import * as apiAgentsAgentidPreviewPrompt from "../agents/[agentId]/preview-prompt/route";
import * as apiAgentsAgentidPromptFiles from "../agents/[agentId]/prompt-files/route";
import * as apiAgentsAgentidPublish from "../agents/[agentId]/publish/route";
import * as apiAgentsAgentidRestore from "../agents/[agentId]/restore/route";
import * as apiAgentsAgentid from "../agents/[agentId]/route";
import * as apiAgentsAgentidTryHook from "../agents/[agentId]/try-hook/route";
import * as apiAgentsAgentidVersionsNumberRestore from "../agents/[agentId]/versions/[number]/restore/route";
import * as apiAgentsAgentidVersionsNumber from "../agents/[agentId]/versions/[number]/route";
import * as apiAgentsAgentidVersions from "../agents/[agentId]/versions/route";
import * as apiAgentsImport from "../agents/import/route";
import * as apiAgents from "../agents/route";
import * as apiAgentsValidate from "../agents/validate/route";
import * as apiApiKeysKeyid from "../api-keys/[keyId]/route";
import * as apiApiKeys from "../api-keys/route";
import * as apiApprovalsApprovalidOutcome from "../approvals/[approvalId]/outcome/route";
import * as apiApprovalsApprovalid from "../approvals/[approvalId]/route";
import * as apiApprovals from "../approvals/route";
import * as apiAuditExport from "../audit/export/route";
import * as apiAudit from "../audit/route";
import * as apiAuditVerify from "../audit/verify/route";
import * as apiAuthCallbackOidc from "../auth/callback/oidc/route";
import * as apiAuthChangePassword from "../auth/change-password/route";
import * as apiAuthGetSession from "../auth/get-session/route";
import * as apiAuthRevokeOtherSessions from "../auth/revoke-other-sessions/route";
import * as apiAuthSignInEmail from "../auth/sign-in/email/route";
import * as apiAuthSignInSocial from "../auth/sign-in/social/route";
import * as apiAuthSignOut from "../auth/sign-out/route";
import * as apiBackupDryRun from "../backup/dry-run/route";
import * as apiBackupFilesName from "../backup/files/[name]/route";
import * as apiBackup from "../backup/route";
import * as apiBackupRun from "../backup/run/route";
import * as apiBoardsBoardid from "../boards/[boardId]/route";
import * as apiBoardsBoardidStop from "../boards/[boardId]/stop/route";
import * as apiBoardsBoardidTasksTaskidClaim from "../boards/[boardId]/tasks/[taskId]/claim/route";
import * as apiBoardsBoardidTasksTaskidReopen from "../boards/[boardId]/tasks/[taskId]/reopen/route";
import * as apiBoardsBoardidTasksTaskidResult from "../boards/[boardId]/tasks/[taskId]/result/route";
import * as apiBoardsBoardidTasksTaskidReview from "../boards/[boardId]/tasks/[taskId]/review/route";
import * as apiBoardsBoardidTasksTaskid from "../boards/[boardId]/tasks/[taskId]/route";
import * as apiBoardsBoardidTasks from "../boards/[boardId]/tasks/route";
import * as apiBoards from "../boards/route";
import * as apiBudgetsBudgetid from "../budgets/[budgetId]/route";
import * as apiBudgets from "../budgets/route";
import * as apiChannelLinksLinkidRestore from "../channel-links/[linkId]/restore/route";
import * as apiChannelLinksLinkid from "../channel-links/[linkId]/route";
import * as apiChannelLinks from "../channel-links/route";
import * as apiChannelsChannelid from "../channels/[channelId]/route";
import * as apiChannelsChannelidTest from "../channels/[channelId]/test/route";
import * as apiChannels from "../channels/route";
import * as apiDeliveriesDeliveryidAttempts from "../deliveries/[deliveryId]/attempts/route";
import * as apiDeliveriesDeliveryidResend from "../deliveries/[deliveryId]/resend/route";
import * as apiDeliveriesDeliveryid from "../deliveries/[deliveryId]/route";
import * as apiDeliveries from "../deliveries/route";
import * as apiDocumentsCheck from "../documents/check/route";
import * as apiEvents from "../events/route";
import * as apiExtensionsReload from "../extensions/reload/route";
import * as apiExtensions from "../extensions/route";
import * as apiFramesImage from "../frames/image/route";
import * as apiFramesMermaid from "../frames/mermaid/route";
import * as apiFramesPage from "../frames/page/route";
import * as apiFramesPdf from "../frames/pdf/route";
import * as apiGrantsGrantid from "../grants/[grantId]/route";
import * as apiGrants from "../grants/route";
import * as apiGroupsGroupid from "../groups/[groupId]/route";
import * as apiGroups from "../groups/route";
import * as apiHeartbeatsHeartbeatidFile from "../heartbeats/[heartbeatId]/file/route";
import * as apiHeartbeatsHeartbeatidFirings from "../heartbeats/[heartbeatId]/firings/route";
import * as apiHeartbeatsHeartbeatid from "../heartbeats/[heartbeatId]/route";
import * as apiHeartbeatsHeartbeatidRun from "../heartbeats/[heartbeatId]/run/route";
import * as apiHeartbeats from "../heartbeats/route";
import * as apiHttpToolsNameTest from "../http-tools/[name]/test/route";
import * as apiHttpTools from "../http-tools/route";
import * as apiInboxNotesNoteid from "../inbox-notes/[noteId]/route";
import * as apiInboxNotes from "../inbox-notes/route";
import * as apiInboxOutlook from "../inbox-outlook/route";
import * as apiInvitationsInvitationidRenew from "../invitations/[invitationId]/renew/route";
import * as apiInvitationsInvitationid from "../invitations/[invitationId]/route";
import * as apiInvitations from "../invitations/route";
import * as apiMcpConnections from "../mcp-connections/route";
import * as apiMcpServersServeridAccept from "../mcp-servers/[serverId]/accept/route";
import * as apiMcpServersServeridConnect from "../mcp-servers/[serverId]/connect/route";
import * as apiMcpServersServeridConnectionsUserid from "../mcp-servers/[serverId]/connections/[userId]/route";
import * as apiMcpServersServeridConnections from "../mcp-servers/[serverId]/connections/route";
import * as apiMcpServersServeridRefresh from "../mcp-servers/[serverId]/refresh/route";
import * as apiMcpServersServerid from "../mcp-servers/[serverId]/route";
import * as apiMcpServersServeridToolsName from "../mcp-servers/[serverId]/tools/[name]/route";
import * as apiMcpServersServeridTools from "../mcp-servers/[serverId]/tools/route";
import * as apiMcpServersCallback from "../mcp-servers/callback/route";
import * as apiMcpServers from "../mcp-servers/route";
import * as apiMe from "../me/route";
import * as apiMemoryIdBlame from "../memory/[id]/blame/route";
import * as apiMemoryIdDiff from "../memory/[id]/diff/route";
import * as apiMemoryIdRestore from "../memory/[id]/restore/route";
import * as apiMemoryId from "../memory/[id]/route";
import * as apiMemoryIdVersions from "../memory/[id]/versions/route";
import * as apiMemoryDays from "../memory/days/route";
import * as apiMemory from "../memory/route";
import * as apiMemorySearch from "../memory/search/route";
import * as apiMemoryTemplates from "../memory/templates/route";
import * as apiModelDefaults from "../model-defaults/route";
import * as apiNotifications from "../notifications/route";
import * as apiOidc from "../oidc/route";
import * as apiOidcTest from "../oidc/test/route";
import * as apiPriceHistory from "../price-history/route";
import * as apiProblemsProblemid from "../problems/[problemId]/route";
import * as apiProblems from "../problems/route";
import * as apiProjectsProjectidFilesContent from "../projects/[projectId]/files/content/route";
import * as apiProjectsProjectidFiles from "../projects/[projectId]/files/route";
import * as apiProjectsProjectidInstructions from "../projects/[projectId]/instructions/route";
import * as apiProjectsProjectidMembersUserid from "../projects/[projectId]/members/[userId]/route";
import * as apiProjectsProjectidMembers from "../projects/[projectId]/members/route";
import * as apiProjectsProjectidRestore from "../projects/[projectId]/restore/route";
import * as apiProjectsProjectid from "../projects/[projectId]/route";
import * as apiProjects from "../projects/route";
import * as apiPromptsPromptid from "../prompts/[promptId]/route";
import * as apiPrompts from "../prompts/route";
import * as apiProvidersProvideridAgents from "../providers/[providerId]/agents/route";
import * as apiProvidersProvideridModels from "../providers/[providerId]/models/route";
import * as apiProvidersProviderid from "../providers/[providerId]/route";
import * as apiProvidersProvideridTest from "../providers/[providerId]/test/route";
import * as apiProvidersProvideridUnpriced from "../providers/[providerId]/unpriced/route";
import * as apiProviders from "../providers/route";
import * as apiPushDecisions from "../push-decisions/route";
import * as apiPushSubscriptionsSubscriptionid from "../push-subscriptions/[subscriptionId]/route";
import * as apiPushSubscriptionsSubscriptionidTest from "../push-subscriptions/[subscriptionId]/test/route";
import * as apiPushSubscriptions from "../push-subscriptions/route";
import * as apiRunsRunidBudgets from "../runs/[runId]/budgets/route";
import * as apiRunsRunidCancel from "../runs/[runId]/cancel/route";
import * as apiRunsRunidContinue from "../runs/[runId]/continue/route";
import * as apiRunsRunidDecisions from "../runs/[runId]/decisions/route";
import * as apiRunsRunidEvents from "../runs/[runId]/events/route";
import * as apiRunsRunidFiles from "../runs/[runId]/files/route";
import * as apiRunsRunidRetry from "../runs/[runId]/retry/route";
import * as apiRunsRunid from "../runs/[runId]/route";
import * as apiRunsRunidStateFile from "../runs/[runId]/state/file/route";
import * as apiRunsRunidState from "../runs/[runId]/state/route";
import * as apiRunsRunidStream from "../runs/[runId]/stream/route";
import * as apiRunsRunidTranscript from "../runs/[runId]/transcript/route";
import * as apiRunsCancelAll from "../runs/cancel-all/route";
import * as apiSchedulesScheduleidFirings from "../schedules/[scheduleId]/firings/route";
import * as apiSchedulesScheduleid from "../schedules/[scheduleId]/route";
import * as apiSchedulesScheduleidRun from "../schedules/[scheduleId]/run/route";
import * as apiSchedulesFirings from "../schedules/firings/route";
import * as apiSchedulesPreflight from "../schedules/preflight/route";
import * as apiSchedules from "../schedules/route";
import * as apiScoresScoreid from "../scores/[scoreId]/route";
import * as apiScores from "../scores/route";
import * as apiSettingsMaskingTry from "../settings/masking/try/route";
import * as apiSettingsRetentionTry from "../settings/retention/try/route";
import * as apiSettings from "../settings/route";
import * as apiSettingsSmtpTest from "../settings/smtp/test/route";
import * as apiSetup from "../setup/route";
import * as apiSharesTokenFiles from "../shares/[token]/files/route";
import * as apiSharesToken from "../shares/[token]/route";
import * as apiSkillsNameDiff from "../skills/[name]/diff/route";
import * as apiSkillsNameFiles from "../skills/[name]/files/route";
import * as apiSkillsNameRestore from "../skills/[name]/restore/route";
import * as apiSkillsName from "../skills/[name]/route";
import * as apiSkillsNameUsage from "../skills/[name]/usage/route";
import * as apiSkillsNameVersionsNumberRestore from "../skills/[name]/versions/[number]/restore/route";
import * as apiSkillsNameVersions from "../skills/[name]/versions/route";
import * as apiSkills from "../skills/route";
import * as apiStatus from "../status/route";
import * as apiStorage from "../storage/route";
import * as apiThreadsThreadidBranch from "../threads/[threadId]/branch/route";
import * as apiThreadsThreadidCancel from "../threads/[threadId]/cancel/route";
import * as apiThreadsThreadidCompact from "../threads/[threadId]/compact/route";
import * as apiThreadsThreadidContextLast from "../threads/[threadId]/context/last/route";
import * as apiThreadsThreadidContext from "../threads/[threadId]/context/route";
import * as apiThreadsThreadidExport from "../threads/[threadId]/export/route";
import * as apiThreadsThreadidFilesArchive from "../threads/[threadId]/files/archive/route";
import * as apiThreadsThreadidFilesChanged from "../threads/[threadId]/files/changed/route";
import * as apiThreadsThreadidFilesContent from "../threads/[threadId]/files/content/route";
import * as apiThreadsThreadidFilesDiff from "../threads/[threadId]/files/diff/route";
import * as apiThreadsThreadidFiles from "../threads/[threadId]/files/route";
import * as apiThreadsThreadidFilesText from "../threads/[threadId]/files/text/route";
import * as apiThreadsThreadidFilesThen from "../threads/[threadId]/files/then/route";
import * as apiThreadsThreadidFilesVersions from "../threads/[threadId]/files/versions/route";
import * as apiThreadsThreadidFork from "../threads/[threadId]/fork/route";
import * as apiThreadsThreadidMessagesMessageidEdit from "../threads/[threadId]/messages/[messageId]/edit/route";
import * as apiThreadsThreadidMessagesMessageidRegenerate from "../threads/[threadId]/messages/[messageId]/regenerate/route";
import * as apiThreadsThreadidMessages from "../threads/[threadId]/messages/route";
import * as apiThreadsThreadidQueueMessageid from "../threads/[threadId]/queue/[messageId]/route";
import * as apiThreadsThreadidQueueRelease from "../threads/[threadId]/queue/release/route";
import * as apiThreadsThreadidQueue from "../threads/[threadId]/queue/route";
import * as apiThreadsThreadidRestore from "../threads/[threadId]/restore/route";
import * as apiThreadsThreadid from "../threads/[threadId]/route";
import * as apiThreadsThreadidShare from "../threads/[threadId]/share/route";
import * as apiThreadsThreadidStream from "../threads/[threadId]/stream/route";
import * as apiThreadsThreadidTitle from "../threads/[threadId]/title/route";
import * as apiThreadsThreadidTodos from "../threads/[threadId]/todos/route";
import * as apiThreadsExport from "../threads/export/route";
import * as apiThreads from "../threads/route";
import * as apiTracesTraceidExport from "../traces/[traceId]/export/route";
import * as apiTracesTraceidImagesHash from "../traces/[traceId]/images/[hash]/route";
import * as apiTracesTraceid from "../traces/[traceId]/route";
import * as apiTracesTraceidSpansSpanid from "../traces/[traceId]/spans/[spanId]/route";
import * as apiTraces from "../traces/route";
import * as apiUsage from "../usage/route";
import * as apiUsersUseridErase from "../users/[userId]/erase/route";
import * as apiUsersUseridExport from "../users/[userId]/export/route";
import * as apiUsersUseridPasswordLink from "../users/[userId]/password-link/route";
import * as apiUsersUserid from "../users/[userId]/route";
import * as apiUsersUseridSessionsSessionid from "../users/[userId]/sessions/[sessionId]/route";
import * as apiUsersUseridSessions from "../users/[userId]/sessions/route";
import * as apiUsersInvite from "../users/invite/route";
import * as apiUsers from "../users/route";
import * as apiWebhooksWebhookidFirings from "../webhooks/[webhookId]/firings/route";
import * as apiWebhooksWebhookidRotate from "../webhooks/[webhookId]/rotate/route";
import * as apiWebhooksWebhookid from "../webhooks/[webhookId]/route";
import * as apiWebhooksWebhookidTest from "../webhooks/[webhookId]/test/route";
import * as apiWebhooks from "../webhooks/route";

/** Every route of the app by its path: what the OpenAPI document describes. A test finds missing ones. */
export const ROUTE_MODULES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "/agents/[id]/chat/[chatId]/stream": agentsIdChatChatidStream,
  "/agents/[id]/chat": agentsIdChat,
  "/agents/[id]/files/download": agentsIdFilesDownload,
  "/agents/[id]/files/list": agentsIdFilesList,
  "/agents/[id]/files/read": agentsIdFilesRead,
  "/agents/[id]/files/upload": agentsIdFilesUpload,
  "/agents/[id]/flow": agentsIdFlow,
  "/agents/[id]/hooks": agentsIdHooks,
  "/agents/[id]/invoke": agentsIdInvoke,
  "/agents/[id]/resume": agentsIdResume,
  "/agents/[id]": agentsId,
  "/agents/[id]/stream": agentsIdStream,
  "/agents/[id]/threads/[threadId]": agentsIdThreadsThreadid,
  "/agents/hooks/available": agentsHooksAvailable,
  "/agents": agents,
  "/agents/skills/available": agentsSkillsAvailable,
  "/agents/tools/[name]": agentsToolsName,
  "/agents/tools/available": agentsToolsAvailable,
  "/agents/tools/register": agentsToolsRegister,
  "/agents/traces/[id]": agentsTracesId,
  "/agents/traces": agentsTraces,
  "/api/agent-activity": apiAgentActivity,
  "/api/account-links": apiAccountLinks,
  "/api/account-links/look": apiAccountLinksLook,
  "/api/account-links/send": apiAccountLinksSend,
  "/api/agent-schema": apiAgentSchema,
  "/api/agent-templates": apiAgentTemplates,
  "/api/agents/[agentId]/aliases": apiAgentsAgentidAliases,
  "/api/agents/[agentId]/aliases/[name]": apiAgentsAgentidAliasesName,
  "/api/agents/[agentId]/compare": apiAgentsAgentidCompare,
  "/api/agents/[agentId]/delegates": apiAgentsAgentidDelegates,
  "/api/agents/[agentId]/draft": apiAgentsAgentidDraft,
  "/api/agents/[agentId]/duplicate": apiAgentsAgentidDuplicate,
  "/api/agents/[agentId]/export": apiAgentsAgentidExport,
  "/api/agents/[agentId]/mcp-prompts": apiAgentsAgentidMcpPrompts,
  "/api/agents/[agentId]/mcp-resources": apiAgentsAgentidMcpResources,
  "/api/agents/[agentId]/preview-context": apiAgentsAgentidPreviewContext,
  "/api/agents/[agentId]/preview-flow": apiAgentsAgentidPreviewFlow,
  "/api/agents/[agentId]/preview-prompt": apiAgentsAgentidPreviewPrompt,
  "/api/agents/[agentId]/prompt-files": apiAgentsAgentidPromptFiles,
  "/api/agents/[agentId]/permissions/test": apiAgentsAgentidPermissionsTest,
  "/api/approvals": apiApprovals,
  "/api/approvals/[approvalId]": apiApprovalsApprovalid,
  "/api/approvals/[approvalId]/outcome": apiApprovalsApprovalidOutcome,
  "/api/inbox-notes": apiInboxNotes,
  "/api/inbox-notes/[noteId]": apiInboxNotesNoteid,
  "/api/inbox-outlook": apiInboxOutlook,
  "/api/audit": apiAudit,
  "/api/audit/export": apiAuditExport,
  "/api/audit/verify": apiAuditVerify,
  "/api/channel-links/[linkId]/restore": apiChannelLinksLinkidRestore,
  "/api/channel-links/[linkId]": apiChannelLinksLinkid,
  "/api/channel-links": apiChannelLinks,
  "/api/channels/[channelId]": apiChannelsChannelid,
  "/api/channels/[channelId]/test": apiChannelsChannelidTest,
  "/api/channels": apiChannels,
  "/api/deliveries/[deliveryId]/resend": apiDeliveriesDeliveryidResend,
  "/api/deliveries/[deliveryId]": apiDeliveriesDeliveryid,
  "/api/deliveries": apiDeliveries,
  "/api/extensions": apiExtensions,
  "/api/extensions/reload": apiExtensionsReload,
  "/api/frames/image": apiFramesImage,
  "/api/frames/mermaid": apiFramesMermaid,
  "/api/frames/page": apiFramesPage,
  "/api/frames/pdf": apiFramesPdf,
  "/api/grants/[grantId]": apiGrantsGrantid,
  "/api/grants": apiGrants,
  "/api/groups/[groupId]": apiGroupsGroupid,
  "/api/groups": apiGroups,
  "/api/heartbeats/[heartbeatId]/file": apiHeartbeatsHeartbeatidFile,
  "/api/heartbeats/[heartbeatId]/firings": apiHeartbeatsHeartbeatidFirings,
  "/api/heartbeats/[heartbeatId]": apiHeartbeatsHeartbeatid,
  "/api/heartbeats/[heartbeatId]/run": apiHeartbeatsHeartbeatidRun,
  "/api/heartbeats": apiHeartbeats,
  "/api/invitations/[invitationId]": apiInvitationsInvitationid,
  "/api/invitations/[invitationId]/renew": apiInvitationsInvitationidRenew,
  "/api/invitations": apiInvitations,
  "/api/runs/[runId]/decisions": apiRunsRunidDecisions,
  "/api/agents/[agentId]": apiAgentsAgentid,
  "/api/agents/[agentId]/try-hook": apiAgentsAgentidTryHook,
  "/api/agents/[agentId]/versions/[number]/restore": apiAgentsAgentidVersionsNumberRestore,
  "/api/agents/[agentId]/versions/[number]": apiAgentsAgentidVersionsNumber,
  "/api/agents/[agentId]/versions": apiAgentsAgentidVersions,
  "/api/agents/[agentId]/publish": apiAgentsAgentidPublish,
  "/api/agents/[agentId]/restore": apiAgentsAgentidRestore,
  "/api/agents/import": apiAgentsImport,
  "/api/agents": apiAgents,
  "/api/agents/validate": apiAgentsValidate,
  "/api/api-keys/[keyId]": apiApiKeysKeyid,
  "/api/api-keys": apiApiKeys,
  "/api/auth/callback/oidc": apiAuthCallbackOidc,
  "/api/auth/change-password": apiAuthChangePassword,
  "/api/auth/get-session": apiAuthGetSession,
  "/api/auth/revoke-other-sessions": apiAuthRevokeOtherSessions,
  "/api/auth/sign-in/email": apiAuthSignInEmail,
  "/api/auth/sign-in/social": apiAuthSignInSocial,
  "/api/auth/sign-out": apiAuthSignOut,
  "/api/backup/dry-run": apiBackupDryRun,
  "/api/backup/files/[name]": apiBackupFilesName,
  "/api/backup": apiBackup,
  "/api/backup/run": apiBackupRun,
  "/api/boards/[boardId]": apiBoardsBoardid,
  "/api/boards/[boardId]/stop": apiBoardsBoardidStop,
  "/api/boards/[boardId]/tasks": apiBoardsBoardidTasks,
  "/api/boards/[boardId]/tasks/[taskId]": apiBoardsBoardidTasksTaskid,
  "/api/boards/[boardId]/tasks/[taskId]/claim": apiBoardsBoardidTasksTaskidClaim,
  "/api/boards/[boardId]/tasks/[taskId]/reopen": apiBoardsBoardidTasksTaskidReopen,
  "/api/boards/[boardId]/tasks/[taskId]/result": apiBoardsBoardidTasksTaskidResult,
  "/api/boards/[boardId]/tasks/[taskId]/review": apiBoardsBoardidTasksTaskidReview,
  "/api/boards": apiBoards,
  "/api/budgets/[budgetId]": apiBudgetsBudgetid,
  "/api/budgets": apiBudgets,
  "/api/documents/check": apiDocumentsCheck,
  "/api/events": apiEvents,
  "/api/http-tools": apiHttpTools,
  "/api/http-tools/[name]/test": apiHttpToolsNameTest,
  "/api/mcp-connections": apiMcpConnections,
  "/api/mcp-servers": apiMcpServers,
  "/api/mcp-servers/[serverId]": apiMcpServersServerid,
  "/api/mcp-servers/[serverId]/accept": apiMcpServersServeridAccept,
  "/api/mcp-servers/[serverId]/connect": apiMcpServersServeridConnect,
  "/api/mcp-servers/[serverId]/connections": apiMcpServersServeridConnections,
  "/api/mcp-servers/[serverId]/connections/[userId]": apiMcpServersServeridConnectionsUserid,
  "/api/mcp-servers/[serverId]/refresh": apiMcpServersServeridRefresh,
  "/api/mcp-servers/[serverId]/tools": apiMcpServersServeridTools,
  "/api/mcp-servers/[serverId]/tools/[name]": apiMcpServersServeridToolsName,
  "/api/mcp-servers/callback": apiMcpServersCallback,
  "/api/me": apiMe,
  "/api/memory/[id]/blame": apiMemoryIdBlame,
  "/api/memory/[id]/diff": apiMemoryIdDiff,
  "/api/memory/[id]/restore": apiMemoryIdRestore,
  "/api/memory/[id]": apiMemoryId,
  "/api/memory/[id]/versions": apiMemoryIdVersions,
  "/api/memory/days": apiMemoryDays,
  "/api/memory": apiMemory,
  "/api/memory/search": apiMemorySearch,
  "/api/memory/templates": apiMemoryTemplates,
  "/api/model-defaults": apiModelDefaults,
  "/api/notifications": apiNotifications,
  "/api/oidc": apiOidc,
  "/api/oidc/test": apiOidcTest,
  "/api/price-history": apiPriceHistory,
  "/api/problems/[problemId]": apiProblemsProblemid,
  "/api/problems": apiProblems,
  "/api/projects/[projectId]/files/content": apiProjectsProjectidFilesContent,
  "/api/projects/[projectId]/files": apiProjectsProjectidFiles,
  "/api/projects/[projectId]/instructions": apiProjectsProjectidInstructions,
  "/api/projects/[projectId]/members/[userId]": apiProjectsProjectidMembersUserid,
  "/api/projects/[projectId]/members": apiProjectsProjectidMembers,
  "/api/projects/[projectId]/restore": apiProjectsProjectidRestore,
  "/api/projects/[projectId]": apiProjectsProjectid,
  "/api/projects": apiProjects,
  "/api/prompts/[promptId]": apiPromptsPromptid,
  "/api/prompts": apiPrompts,
  "/api/providers/[providerId]/unpriced": apiProvidersProvideridUnpriced,
  "/api/providers/[providerId]/agents": apiProvidersProvideridAgents,
  "/api/providers/[providerId]/models": apiProvidersProvideridModels,
  "/api/providers/[providerId]": apiProvidersProviderid,
  "/api/providers/[providerId]/test": apiProvidersProvideridTest,
  "/api/providers": apiProviders,
  "/api/push-decisions": apiPushDecisions,
  "/api/push-subscriptions/[subscriptionId]": apiPushSubscriptionsSubscriptionid,
  "/api/push-subscriptions/[subscriptionId]/test": apiPushSubscriptionsSubscriptionidTest,
  "/api/push-subscriptions": apiPushSubscriptions,
  "/api/runs/[runId]/budgets": apiRunsRunidBudgets,
  "/api/runs/[runId]/cancel": apiRunsRunidCancel,
  "/api/runs/[runId]/continue": apiRunsRunidContinue,
  "/api/runs/[runId]/retry": apiRunsRunidRetry,
  "/api/runs/[runId]/events": apiRunsRunidEvents,
  "/api/runs/[runId]/files": apiRunsRunidFiles,
  "/api/runs/[runId]": apiRunsRunid,
  "/api/runs/[runId]/state/file": apiRunsRunidStateFile,
  "/api/runs/[runId]/state": apiRunsRunidState,
  "/api/runs/[runId]/stream": apiRunsRunidStream,
  "/api/runs/[runId]/transcript": apiRunsRunidTranscript,
  "/api/runs/cancel-all": apiRunsCancelAll,
  "/api/schedules/[scheduleId]/firings": apiSchedulesScheduleidFirings,
  "/api/schedules/[scheduleId]": apiSchedulesScheduleid,
  "/api/schedules/[scheduleId]/run": apiSchedulesScheduleidRun,
  "/api/schedules/firings": apiSchedulesFirings,
  "/api/schedules/preflight": apiSchedulesPreflight,
  "/api/schedules": apiSchedules,
  "/api/scores/[scoreId]": apiScoresScoreid,
  "/api/scores": apiScores,
  "/api/settings/masking/try": apiSettingsMaskingTry,
  "/api/settings/retention/try": apiSettingsRetentionTry,
  "/api/settings/smtp/test": apiSettingsSmtpTest,
  "/api/settings": apiSettings,
  "/api/setup": apiSetup,
  "/api/shares/[token]/files": apiSharesTokenFiles,
  "/api/shares/[token]": apiSharesToken,
  "/api/skills/[name]/diff": apiSkillsNameDiff,
  "/api/skills/[name]/usage": apiSkillsNameUsage,
  "/api/skills/[name]/files": apiSkillsNameFiles,
  "/api/skills/[name]/restore": apiSkillsNameRestore,
  "/api/skills/[name]": apiSkillsName,
  "/api/skills/[name]/versions": apiSkillsNameVersions,
  "/api/skills/[name]/versions/[number]/restore": apiSkillsNameVersionsNumberRestore,
  "/api/skills": apiSkills,
  "/api/status": apiStatus,
  "/api/storage": apiStorage,
  "/api/threads/[threadId]/branch": apiThreadsThreadidBranch,
  "/api/threads/[threadId]/cancel": apiThreadsThreadidCancel,
  "/api/threads/[threadId]/compact": apiThreadsThreadidCompact,
  "/api/threads/[threadId]/context": apiThreadsThreadidContext,
  "/api/threads/[threadId]/context/last": apiThreadsThreadidContextLast,
  "/api/threads/[threadId]/export": apiThreadsThreadidExport,
  "/api/threads/[threadId]/files/archive": apiThreadsThreadidFilesArchive,
  "/api/threads/[threadId]/files/changed": apiThreadsThreadidFilesChanged,
  "/api/threads/[threadId]/files/content": apiThreadsThreadidFilesContent,
  "/api/threads/[threadId]/files/diff": apiThreadsThreadidFilesDiff,
  "/api/threads/[threadId]/files": apiThreadsThreadidFiles,
  "/api/threads/[threadId]/files/text": apiThreadsThreadidFilesText,
  "/api/threads/[threadId]/files/then": apiThreadsThreadidFilesThen,
  "/api/threads/[threadId]/files/versions": apiThreadsThreadidFilesVersions,
  "/api/threads/[threadId]/fork": apiThreadsThreadidFork,
  "/api/threads/[threadId]/messages/[messageId]/edit": apiThreadsThreadidMessagesMessageidEdit,
  "/api/threads/[threadId]/messages/[messageId]/regenerate": apiThreadsThreadidMessagesMessageidRegenerate,
  "/api/threads/[threadId]/messages": apiThreadsThreadidMessages,
  "/api/threads/[threadId]/queue/[messageId]": apiThreadsThreadidQueueMessageid,
  "/api/threads/[threadId]/queue/release": apiThreadsThreadidQueueRelease,
  "/api/threads/[threadId]/queue": apiThreadsThreadidQueue,
  "/api/threads/[threadId]/restore": apiThreadsThreadidRestore,
  "/api/threads/[threadId]": apiThreadsThreadid,
  "/api/threads/[threadId]/share": apiThreadsThreadidShare,
  "/api/threads/[threadId]/stream": apiThreadsThreadidStream,
  "/api/threads/[threadId]/title": apiThreadsThreadidTitle,
  "/api/threads/[threadId]/todos": apiThreadsThreadidTodos,
  "/api/threads/export": apiThreadsExport,
  "/api/threads": apiThreads,
  "/api/traces/[traceId]/export": apiTracesTraceidExport,
  "/api/traces/[traceId]/images/[hash]": apiTracesTraceidImagesHash,
  "/api/traces/[traceId]": apiTracesTraceid,
  "/api/traces/[traceId]/spans/[spanId]": apiTracesTraceidSpansSpanid,
  "/api/traces": apiTraces,
  "/api/usage": apiUsage,
  "/api/users/[userId]": apiUsersUserid,
  "/api/users/[userId]/erase": apiUsersUseridErase,
  "/api/users/[userId]/export": apiUsersUseridExport,
  "/api/users/[userId]/password-link": apiUsersUseridPasswordLink,
  "/api/users/[userId]/sessions": apiUsersUseridSessions,
  "/api/users/[userId]/sessions/[sessionId]": apiUsersUseridSessionsSessionid,
  "/api/users/invite": apiUsersInvite,
  "/api/users": apiUsers,
  "/api/webhooks/[webhookId]/firings": apiWebhooksWebhookidFirings,
  "/api/webhooks/[webhookId]/rotate": apiWebhooksWebhookidRotate,
  "/api/webhooks/[webhookId]": apiWebhooksWebhookid,
  "/api/webhooks/[webhookId]/test": apiWebhooksWebhookidTest,
  "/api/deliveries/[deliveryId]/attempts": apiDeliveriesDeliveryidAttempts,
  "/api/webhooks": apiWebhooks,
  "/health": health,
  "/hooks/[hookId]": hooksHookid,
  "/hooks/channels/[channelId]": hooksChannelsChannelid,
  "/v1/chat/completions": v1ChatCompletions,
  "/v1/models": v1Models,
  "/v1/models/[model]": v1ModelsModel,
};
