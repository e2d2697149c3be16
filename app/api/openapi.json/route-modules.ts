// Written by `npm run generate`.

import * as agentsIdAgUi from "../../agents/[id]/ag-ui/route";
import * as agentsIdChatChatIdStream from "../../agents/[id]/chat/[chatId]/stream/route";
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
import * as agentsIdThreadsThreadId from "../../agents/[id]/threads/[threadId]/route";
import * as agentsHooksAvailable from "../../agents/hooks/available/route";
import * as agents from "../../agents/route";
import * as agentsSkillsAvailable from "../../agents/skills/available/route";
import * as agentsToolsName from "../../agents/tools/[name]/route";
import * as agentsToolsAvailable from "../../agents/tools/available/route";
import * as agentsToolsRegister from "../../agents/tools/register/route";
import * as agentsTracesId from "../../agents/traces/[id]/route";
import * as agentsTraces from "../../agents/traces/route";
import * as health from "../../health/route";
import * as hooksHookId from "../../hooks/[hookId]/route";
import * as hooksChannelsChannelId from "../../hooks/channels/[channelId]/route";
import * as mcp from "../../mcp/route";
import * as metrics from "../../metrics/route";
import * as v1ChatCompletions from "../../v1/chat/completions/route";
import * as v1ModelsModel from "../../v1/models/[model]/route";
import * as v1Models from "../../v1/models/route";
import * as v1ResponsesResponseId from "../../v1/responses/[responseId]/route";
import * as v1Responses from "../../v1/responses/route";
import * as apiAccountLinksLook from "../account-links/look/route";
import * as apiAccountLinks from "../account-links/route";
import * as apiAccountLinksSend from "../account-links/send/route";
import * as apiAgentActivity from "../agent-activity/route";
import * as apiAgentSchema from "../agent-schema/route";
import * as apiAgentTemplates from "../agent-templates/route";
import * as apiAgentsAgentIdAliasesName from "../agents/[agentId]/aliases/[name]/route";
import * as apiAgentsAgentIdAliases from "../agents/[agentId]/aliases/route";
import * as apiAgentsAgentIdCompare from "../agents/[agentId]/compare/route";
import * as apiAgentsAgentIdDelegates from "../agents/[agentId]/delegates/route";
import * as apiAgentsAgentIdDraft from "../agents/[agentId]/draft/route";
import * as apiAgentsAgentIdDuplicate from "../agents/[agentId]/duplicate/route";
import * as apiAgentsAgentIdExport from "../agents/[agentId]/export/route";
import * as apiAgentsAgentIdMcpPrompts from "../agents/[agentId]/mcp-prompts/route";
import * as apiAgentsAgentIdMcpResources from "../agents/[agentId]/mcp-resources/route";
import * as apiAgentsAgentIdPermissionsTest from "../agents/[agentId]/permissions/test/route";
import * as apiAgentsAgentIdPreviewContext from "../agents/[agentId]/preview-context/route";
import * as apiAgentsAgentIdPreviewFlow from "../agents/[agentId]/preview-flow/route";
import * as apiAgentsAgentIdPreviewPrompt from "../agents/[agentId]/preview-prompt/route";
import * as apiAgentsAgentIdPromptFiles from "../agents/[agentId]/prompt-files/route";
import * as apiAgentsAgentIdPublish from "../agents/[agentId]/publish/route";
import * as apiAgentsAgentIdRestore from "../agents/[agentId]/restore/route";
import * as apiAgentsAgentId from "../agents/[agentId]/route";
import * as apiAgentsAgentIdTryHook from "../agents/[agentId]/try-hook/route";
import * as apiAgentsAgentIdVersionsNumberRestore from "../agents/[agentId]/versions/[number]/restore/route";
import * as apiAgentsAgentIdVersionsNumber from "../agents/[agentId]/versions/[number]/route";
import * as apiAgentsAgentIdVersions from "../agents/[agentId]/versions/route";
import * as apiAgentsImport from "../agents/import/route";
import * as apiAgents from "../agents/route";
import * as apiAgentsValidate from "../agents/validate/route";
import * as apiAlertsAlertId from "../alerts/[alertId]/route";
import * as apiAlerts from "../alerts/route";
import * as apiApiKeysKeyId from "../api-keys/[keyId]/route";
import * as apiApiKeys from "../api-keys/route";
import * as apiApprovalsApprovalIdOutcome from "../approvals/[approvalId]/outcome/route";
import * as apiApprovalsApprovalId from "../approvals/[approvalId]/route";
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
import * as apiBoardsBoardId from "../boards/[boardId]/route";
import * as apiBoardsBoardIdStop from "../boards/[boardId]/stop/route";
import * as apiBoardsBoardIdTasksTaskIdClaim from "../boards/[boardId]/tasks/[taskId]/claim/route";
import * as apiBoardsBoardIdTasksTaskIdReopen from "../boards/[boardId]/tasks/[taskId]/reopen/route";
import * as apiBoardsBoardIdTasksTaskIdResult from "../boards/[boardId]/tasks/[taskId]/result/route";
import * as apiBoardsBoardIdTasksTaskIdReview from "../boards/[boardId]/tasks/[taskId]/review/route";
import * as apiBoardsBoardIdTasksTaskId from "../boards/[boardId]/tasks/[taskId]/route";
import * as apiBoardsBoardIdTasks from "../boards/[boardId]/tasks/route";
import * as apiBoards from "../boards/route";
import * as apiBudgetsBudgetId from "../budgets/[budgetId]/route";
import * as apiBudgets from "../budgets/route";
import * as apiChannelLinksLinkIdRestore from "../channel-links/[linkId]/restore/route";
import * as apiChannelLinksLinkId from "../channel-links/[linkId]/route";
import * as apiChannelLinks from "../channel-links/route";
import * as apiChannelsChannelId from "../channels/[channelId]/route";
import * as apiChannelsChannelIdTest from "../channels/[channelId]/test/route";
import * as apiChannels from "../channels/route";
import * as apiDeliveriesDeliveryIdAttempts from "../deliveries/[deliveryId]/attempts/route";
import * as apiDeliveriesDeliveryIdResend from "../deliveries/[deliveryId]/resend/route";
import * as apiDeliveriesDeliveryId from "../deliveries/[deliveryId]/route";
import * as apiDeliveries from "../deliveries/route";
import * as apiDocumentsCheck from "../documents/check/route";
import * as apiEvents from "../events/route";
import * as apiExtensionsReload from "../extensions/reload/route";
import * as apiExtensions from "../extensions/route";
import * as apiFramesImage from "../frames/image/route";
import * as apiFramesMermaid from "../frames/mermaid/route";
import * as apiFramesPage from "../frames/page/route";
import * as apiFramesPdf from "../frames/pdf/route";
import * as apiGrantsGrantId from "../grants/[grantId]/route";
import * as apiGrants from "../grants/route";
import * as apiGroupsGroupId from "../groups/[groupId]/route";
import * as apiGroups from "../groups/route";
import * as apiHeartbeatsHeartbeatIdFile from "../heartbeats/[heartbeatId]/file/route";
import * as apiHeartbeatsHeartbeatIdFirings from "../heartbeats/[heartbeatId]/firings/route";
import * as apiHeartbeatsHeartbeatId from "../heartbeats/[heartbeatId]/route";
import * as apiHeartbeatsHeartbeatIdRun from "../heartbeats/[heartbeatId]/run/route";
import * as apiHeartbeats from "../heartbeats/route";
import * as apiHttpToolsName from "../http-tools/[name]/route";
import * as apiHttpToolsNameTest from "../http-tools/[name]/test/route";
import * as apiHttpToolsImport from "../http-tools/import/route";
import * as apiHttpTools from "../http-tools/route";
import * as apiInboxNotesNoteId from "../inbox-notes/[noteId]/route";
import * as apiInboxNotes from "../inbox-notes/route";
import * as apiInboxOutlook from "../inbox-outlook/route";
import * as apiInvitationsInvitationIdRenew from "../invitations/[invitationId]/renew/route";
import * as apiInvitationsInvitationId from "../invitations/[invitationId]/route";
import * as apiInvitations from "../invitations/route";
import * as apiMcpConnections from "../mcp-connections/route";
import * as apiMcpServersServerIdAccept from "../mcp-servers/[serverId]/accept/route";
import * as apiMcpServersServerIdConnect from "../mcp-servers/[serverId]/connect/route";
import * as apiMcpServersServerIdConnectionsUserId from "../mcp-servers/[serverId]/connections/[userId]/route";
import * as apiMcpServersServerIdConnections from "../mcp-servers/[serverId]/connections/route";
import * as apiMcpServersServerIdRefresh from "../mcp-servers/[serverId]/refresh/route";
import * as apiMcpServersServerId from "../mcp-servers/[serverId]/route";
import * as apiMcpServersServerIdToolsName from "../mcp-servers/[serverId]/tools/[name]/route";
import * as apiMcpServersServerIdTools from "../mcp-servers/[serverId]/tools/route";
import * as apiMcpServersCallback from "../mcp-servers/callback/route";
import * as apiMcpServers from "../mcp-servers/route";
import * as apiMe from "../me/route";
import * as apiMemoryIdBlame from "../memory/[id]/blame/route";
import * as apiMemoryIdDiff from "../memory/[id]/diff/route";
import * as apiMemoryIdRestore from "../memory/[id]/restore/route";
import * as apiMemoryId from "../memory/[id]/route";
import * as apiMemoryIdVersions from "../memory/[id]/versions/route";
import * as apiMemoryDays from "../memory/days/route";
import * as apiMemoryLinesIdUses from "../memory/lines/[id]/uses/route";
import * as apiMemory from "../memory/route";
import * as apiMemorySearch from "../memory/search/route";
import * as apiMemoryTemplates from "../memory/templates/route";
import * as apiModelDefaults from "../model-defaults/route";
import * as apiNotesNoteId from "../notes/[noteId]/route";
import * as apiNotes from "../notes/route";
import * as apiNotifications from "../notifications/route";
import * as apiOidc from "../oidc/route";
import * as apiOidcTest from "../oidc/test/route";
import * as apiPermissionsProposalsId from "../permissions/proposals/[id]/route";
import * as apiPermissionsProposals from "../permissions/proposals/route";
import * as apiPermissionsWhatIf from "../permissions/what-if/route";
import * as apiPriceHistory from "../price-history/route";
import * as apiProblemsProblemId from "../problems/[problemId]/route";
import * as apiProblems from "../problems/route";
import * as apiProjectsProjectIdFilesContent from "../projects/[projectId]/files/content/route";
import * as apiProjectsProjectIdFiles from "../projects/[projectId]/files/route";
import * as apiProjectsProjectIdInstructions from "../projects/[projectId]/instructions/route";
import * as apiProjectsProjectIdMembersUserId from "../projects/[projectId]/members/[userId]/route";
import * as apiProjectsProjectIdMembers from "../projects/[projectId]/members/route";
import * as apiProjectsProjectIdRestore from "../projects/[projectId]/restore/route";
import * as apiProjectsProjectId from "../projects/[projectId]/route";
import * as apiProjects from "../projects/route";
import * as apiPromptsPromptId from "../prompts/[promptId]/route";
import * as apiPrompts from "../prompts/route";
import * as apiProvidersProviderIdAgents from "../providers/[providerId]/agents/route";
import * as apiProvidersProviderIdModels from "../providers/[providerId]/models/route";
import * as apiProvidersProviderId from "../providers/[providerId]/route";
import * as apiProvidersProviderIdTest from "../providers/[providerId]/test/route";
import * as apiProvidersProviderIdUnpriced from "../providers/[providerId]/unpriced/route";
import * as apiProviders from "../providers/route";
import * as apiPushDecisions from "../push-decisions/route";
import * as apiPushSubscriptionsSubscriptionId from "../push-subscriptions/[subscriptionId]/route";
import * as apiPushSubscriptionsSubscriptionIdTest from "../push-subscriptions/[subscriptionId]/test/route";
import * as apiPushSubscriptions from "../push-subscriptions/route";
import * as apiReplaysReplayIdCancel from "../replays/[replayId]/cancel/route";
import * as apiReplaysReplayId from "../replays/[replayId]/route";
import * as apiReplays from "../replays/route";
import * as apiRunsRunIdBudgets from "../runs/[runId]/budgets/route";
import * as apiRunsRunIdCancel from "../runs/[runId]/cancel/route";
import * as apiRunsRunIdContinue from "../runs/[runId]/continue/route";
import * as apiRunsRunIdDecisions from "../runs/[runId]/decisions/route";
import * as apiRunsRunIdEvents from "../runs/[runId]/events/route";
import * as apiRunsRunIdFiles from "../runs/[runId]/files/route";
import * as apiRunsRunIdReplays from "../runs/[runId]/replays/route";
import * as apiRunsRunIdRetry from "../runs/[runId]/retry/route";
import * as apiRunsRunId from "../runs/[runId]/route";
import * as apiRunsRunIdStateFile from "../runs/[runId]/state/file/route";
import * as apiRunsRunIdState from "../runs/[runId]/state/route";
import * as apiRunsRunIdStream from "../runs/[runId]/stream/route";
import * as apiRunsRunIdTranscript from "../runs/[runId]/transcript/route";
import * as apiRunsRunIdUndo from "../runs/[runId]/undo/route";
import * as apiRunsRunIdUndoTakeBack from "../runs/[runId]/undo/take-back/route";
import * as apiRunsCancelAll from "../runs/cancel-all/route";
import * as apiSchedulesScheduleIdFirings from "../schedules/[scheduleId]/firings/route";
import * as apiSchedulesScheduleId from "../schedules/[scheduleId]/route";
import * as apiSchedulesScheduleIdRun from "../schedules/[scheduleId]/run/route";
import * as apiSchedulesFirings from "../schedules/firings/route";
import * as apiSchedulesPreflight from "../schedules/preflight/route";
import * as apiSchedules from "../schedules/route";
import * as apiSchedulesTimes from "../schedules/times/route";
import * as apiScoresScoreId from "../scores/[scoreId]/route";
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
import * as apiThreadsThreadIdBranch from "../threads/[threadId]/branch/route";
import * as apiThreadsThreadIdCancel from "../threads/[threadId]/cancel/route";
import * as apiThreadsThreadIdCompact from "../threads/[threadId]/compact/route";
import * as apiThreadsThreadIdContextLast from "../threads/[threadId]/context/last/route";
import * as apiThreadsThreadIdContext from "../threads/[threadId]/context/route";
import * as apiThreadsThreadIdExport from "../threads/[threadId]/export/route";
import * as apiThreadsThreadIdFilesArchive from "../threads/[threadId]/files/archive/route";
import * as apiThreadsThreadIdFilesChanged from "../threads/[threadId]/files/changed/route";
import * as apiThreadsThreadIdFilesContent from "../threads/[threadId]/files/content/route";
import * as apiThreadsThreadIdFilesDiff from "../threads/[threadId]/files/diff/route";
import * as apiThreadsThreadIdFiles from "../threads/[threadId]/files/route";
import * as apiThreadsThreadIdFilesText from "../threads/[threadId]/files/text/route";
import * as apiThreadsThreadIdFilesThen from "../threads/[threadId]/files/then/route";
import * as apiThreadsThreadIdFilesVersions from "../threads/[threadId]/files/versions/route";
import * as apiThreadsThreadIdFork from "../threads/[threadId]/fork/route";
import * as apiThreadsThreadIdMessagesMessageIdEdit from "../threads/[threadId]/messages/[messageId]/edit/route";
import * as apiThreadsThreadIdMessagesMessageIdRegenerate from "../threads/[threadId]/messages/[messageId]/regenerate/route";
import * as apiThreadsThreadIdMessages from "../threads/[threadId]/messages/route";
import * as apiThreadsThreadIdQueueMessageId from "../threads/[threadId]/queue/[messageId]/route";
import * as apiThreadsThreadIdQueueRelease from "../threads/[threadId]/queue/release/route";
import * as apiThreadsThreadIdQueue from "../threads/[threadId]/queue/route";
import * as apiThreadsThreadIdRestore from "../threads/[threadId]/restore/route";
import * as apiThreadsThreadId from "../threads/[threadId]/route";
import * as apiThreadsThreadIdShare from "../threads/[threadId]/share/route";
import * as apiThreadsThreadIdStream from "../threads/[threadId]/stream/route";
import * as apiThreadsThreadIdTitle from "../threads/[threadId]/title/route";
import * as apiThreadsThreadIdTodos from "../threads/[threadId]/todos/route";
import * as apiThreadsExport from "../threads/export/route";
import * as apiThreads from "../threads/route";
import * as apiTracesTraceIdBundle from "../traces/[traceId]/bundle/route";
import * as apiTracesTraceIdExplain from "../traces/[traceId]/explain/route";
import * as apiTracesTraceIdExport from "../traces/[traceId]/export/route";
import * as apiTracesTraceIdImagesHash from "../traces/[traceId]/images/[hash]/route";
import * as apiTracesTraceIdRead from "../traces/[traceId]/read/route";
import * as apiTracesTraceId from "../traces/[traceId]/route";
import * as apiTracesTraceIdSpansSpanIdPercentile from "../traces/[traceId]/spans/[spanId]/percentile/route";
import * as apiTracesTraceIdSpansSpanId from "../traces/[traceId]/spans/[spanId]/route";
import * as apiTracesTraceIdText from "../traces/[traceId]/text/route";
import * as apiTracesCharts from "../traces/charts/route";
import * as apiTracesCompare from "../traces/compare/route";
import * as apiTracesDifference from "../traces/difference/route";
import * as apiTracesFacets from "../traces/facets/route";
import * as apiTracesParse from "../traces/parse/route";
import * as apiTraces from "../traces/route";
import * as apiTracesViewsViewId from "../traces/views/[viewId]/route";
import * as apiTracesViews from "../traces/views/route";
import * as apiUsage from "../usage/route";
import * as apiUsersUserIdErase from "../users/[userId]/erase/route";
import * as apiUsersUserIdExport from "../users/[userId]/export/route";
import * as apiUsersUserIdPasswordLink from "../users/[userId]/password-link/route";
import * as apiUsersUserId from "../users/[userId]/route";
import * as apiUsersUserIdSessionsSessionId from "../users/[userId]/sessions/[sessionId]/route";
import * as apiUsersUserIdSessions from "../users/[userId]/sessions/route";
import * as apiUsersInvite from "../users/invite/route";
import * as apiUsers from "../users/route";
import * as apiWebhooksWebhookIdFirings from "../webhooks/[webhookId]/firings/route";
import * as apiWebhooksWebhookIdRotate from "../webhooks/[webhookId]/rotate/route";
import * as apiWebhooksWebhookId from "../webhooks/[webhookId]/route";
import * as apiWebhooksWebhookIdTest from "../webhooks/[webhookId]/test/route";
import * as apiWebhooks from "../webhooks/route";

/** Every other route of the app by its path. */
export const ROUTE_MODULES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "/agents": agents,
  "/agents/[id]": agentsId,
  "/agents/[id]/ag-ui": agentsIdAgUi,
  "/agents/[id]/chat": agentsIdChat,
  "/agents/[id]/chat/[chatId]/stream": agentsIdChatChatIdStream,
  "/agents/[id]/files/download": agentsIdFilesDownload,
  "/agents/[id]/files/list": agentsIdFilesList,
  "/agents/[id]/files/read": agentsIdFilesRead,
  "/agents/[id]/files/upload": agentsIdFilesUpload,
  "/agents/[id]/flow": agentsIdFlow,
  "/agents/[id]/hooks": agentsIdHooks,
  "/agents/[id]/invoke": agentsIdInvoke,
  "/agents/[id]/resume": agentsIdResume,
  "/agents/[id]/stream": agentsIdStream,
  "/agents/[id]/threads/[threadId]": agentsIdThreadsThreadId,
  "/agents/hooks/available": agentsHooksAvailable,
  "/agents/skills/available": agentsSkillsAvailable,
  "/agents/tools/[name]": agentsToolsName,
  "/agents/tools/available": agentsToolsAvailable,
  "/agents/tools/register": agentsToolsRegister,
  "/agents/traces": agentsTraces,
  "/agents/traces/[id]": agentsTracesId,
  "/api/account-links": apiAccountLinks,
  "/api/account-links/look": apiAccountLinksLook,
  "/api/account-links/send": apiAccountLinksSend,
  "/api/agent-activity": apiAgentActivity,
  "/api/agent-schema": apiAgentSchema,
  "/api/agent-templates": apiAgentTemplates,
  "/api/agents": apiAgents,
  "/api/agents/[agentId]": apiAgentsAgentId,
  "/api/agents/[agentId]/aliases": apiAgentsAgentIdAliases,
  "/api/agents/[agentId]/aliases/[name]": apiAgentsAgentIdAliasesName,
  "/api/agents/[agentId]/compare": apiAgentsAgentIdCompare,
  "/api/agents/[agentId]/delegates": apiAgentsAgentIdDelegates,
  "/api/agents/[agentId]/draft": apiAgentsAgentIdDraft,
  "/api/agents/[agentId]/duplicate": apiAgentsAgentIdDuplicate,
  "/api/agents/[agentId]/export": apiAgentsAgentIdExport,
  "/api/agents/[agentId]/mcp-prompts": apiAgentsAgentIdMcpPrompts,
  "/api/agents/[agentId]/mcp-resources": apiAgentsAgentIdMcpResources,
  "/api/agents/[agentId]/permissions/test": apiAgentsAgentIdPermissionsTest,
  "/api/agents/[agentId]/preview-context": apiAgentsAgentIdPreviewContext,
  "/api/agents/[agentId]/preview-flow": apiAgentsAgentIdPreviewFlow,
  "/api/agents/[agentId]/preview-prompt": apiAgentsAgentIdPreviewPrompt,
  "/api/agents/[agentId]/prompt-files": apiAgentsAgentIdPromptFiles,
  "/api/agents/[agentId]/publish": apiAgentsAgentIdPublish,
  "/api/agents/[agentId]/restore": apiAgentsAgentIdRestore,
  "/api/agents/[agentId]/try-hook": apiAgentsAgentIdTryHook,
  "/api/agents/[agentId]/versions": apiAgentsAgentIdVersions,
  "/api/agents/[agentId]/versions/[number]": apiAgentsAgentIdVersionsNumber,
  "/api/agents/[agentId]/versions/[number]/restore": apiAgentsAgentIdVersionsNumberRestore,
  "/api/agents/import": apiAgentsImport,
  "/api/agents/validate": apiAgentsValidate,
  "/api/alerts": apiAlerts,
  "/api/alerts/[alertId]": apiAlertsAlertId,
  "/api/api-keys": apiApiKeys,
  "/api/api-keys/[keyId]": apiApiKeysKeyId,
  "/api/approvals": apiApprovals,
  "/api/approvals/[approvalId]": apiApprovalsApprovalId,
  "/api/approvals/[approvalId]/outcome": apiApprovalsApprovalIdOutcome,
  "/api/audit": apiAudit,
  "/api/audit/export": apiAuditExport,
  "/api/audit/verify": apiAuditVerify,
  "/api/auth/callback/oidc": apiAuthCallbackOidc,
  "/api/auth/change-password": apiAuthChangePassword,
  "/api/auth/get-session": apiAuthGetSession,
  "/api/auth/revoke-other-sessions": apiAuthRevokeOtherSessions,
  "/api/auth/sign-in/email": apiAuthSignInEmail,
  "/api/auth/sign-in/social": apiAuthSignInSocial,
  "/api/auth/sign-out": apiAuthSignOut,
  "/api/backup": apiBackup,
  "/api/backup/dry-run": apiBackupDryRun,
  "/api/backup/files/[name]": apiBackupFilesName,
  "/api/backup/run": apiBackupRun,
  "/api/boards": apiBoards,
  "/api/boards/[boardId]": apiBoardsBoardId,
  "/api/boards/[boardId]/stop": apiBoardsBoardIdStop,
  "/api/boards/[boardId]/tasks": apiBoardsBoardIdTasks,
  "/api/boards/[boardId]/tasks/[taskId]": apiBoardsBoardIdTasksTaskId,
  "/api/boards/[boardId]/tasks/[taskId]/claim": apiBoardsBoardIdTasksTaskIdClaim,
  "/api/boards/[boardId]/tasks/[taskId]/reopen": apiBoardsBoardIdTasksTaskIdReopen,
  "/api/boards/[boardId]/tasks/[taskId]/result": apiBoardsBoardIdTasksTaskIdResult,
  "/api/boards/[boardId]/tasks/[taskId]/review": apiBoardsBoardIdTasksTaskIdReview,
  "/api/budgets": apiBudgets,
  "/api/budgets/[budgetId]": apiBudgetsBudgetId,
  "/api/channel-links": apiChannelLinks,
  "/api/channel-links/[linkId]": apiChannelLinksLinkId,
  "/api/channel-links/[linkId]/restore": apiChannelLinksLinkIdRestore,
  "/api/channels": apiChannels,
  "/api/channels/[channelId]": apiChannelsChannelId,
  "/api/channels/[channelId]/test": apiChannelsChannelIdTest,
  "/api/deliveries": apiDeliveries,
  "/api/deliveries/[deliveryId]": apiDeliveriesDeliveryId,
  "/api/deliveries/[deliveryId]/attempts": apiDeliveriesDeliveryIdAttempts,
  "/api/deliveries/[deliveryId]/resend": apiDeliveriesDeliveryIdResend,
  "/api/documents/check": apiDocumentsCheck,
  "/api/events": apiEvents,
  "/api/extensions": apiExtensions,
  "/api/extensions/reload": apiExtensionsReload,
  "/api/frames/image": apiFramesImage,
  "/api/frames/mermaid": apiFramesMermaid,
  "/api/frames/page": apiFramesPage,
  "/api/frames/pdf": apiFramesPdf,
  "/api/grants": apiGrants,
  "/api/grants/[grantId]": apiGrantsGrantId,
  "/api/groups": apiGroups,
  "/api/groups/[groupId]": apiGroupsGroupId,
  "/api/heartbeats": apiHeartbeats,
  "/api/heartbeats/[heartbeatId]": apiHeartbeatsHeartbeatId,
  "/api/heartbeats/[heartbeatId]/file": apiHeartbeatsHeartbeatIdFile,
  "/api/heartbeats/[heartbeatId]/firings": apiHeartbeatsHeartbeatIdFirings,
  "/api/heartbeats/[heartbeatId]/run": apiHeartbeatsHeartbeatIdRun,
  "/api/http-tools": apiHttpTools,
  "/api/http-tools/[name]": apiHttpToolsName,
  "/api/http-tools/[name]/test": apiHttpToolsNameTest,
  "/api/http-tools/import": apiHttpToolsImport,
  "/api/inbox-notes": apiInboxNotes,
  "/api/inbox-notes/[noteId]": apiInboxNotesNoteId,
  "/api/inbox-outlook": apiInboxOutlook,
  "/api/invitations": apiInvitations,
  "/api/invitations/[invitationId]": apiInvitationsInvitationId,
  "/api/invitations/[invitationId]/renew": apiInvitationsInvitationIdRenew,
  "/api/mcp-connections": apiMcpConnections,
  "/api/mcp-servers": apiMcpServers,
  "/api/mcp-servers/[serverId]": apiMcpServersServerId,
  "/api/mcp-servers/[serverId]/accept": apiMcpServersServerIdAccept,
  "/api/mcp-servers/[serverId]/connect": apiMcpServersServerIdConnect,
  "/api/mcp-servers/[serverId]/connections": apiMcpServersServerIdConnections,
  "/api/mcp-servers/[serverId]/connections/[userId]": apiMcpServersServerIdConnectionsUserId,
  "/api/mcp-servers/[serverId]/refresh": apiMcpServersServerIdRefresh,
  "/api/mcp-servers/[serverId]/tools": apiMcpServersServerIdTools,
  "/api/mcp-servers/[serverId]/tools/[name]": apiMcpServersServerIdToolsName,
  "/api/mcp-servers/callback": apiMcpServersCallback,
  "/api/me": apiMe,
  "/api/memory": apiMemory,
  "/api/memory/[id]": apiMemoryId,
  "/api/memory/[id]/blame": apiMemoryIdBlame,
  "/api/memory/[id]/diff": apiMemoryIdDiff,
  "/api/memory/[id]/restore": apiMemoryIdRestore,
  "/api/memory/[id]/versions": apiMemoryIdVersions,
  "/api/memory/days": apiMemoryDays,
  "/api/memory/lines/[id]/uses": apiMemoryLinesIdUses,
  "/api/memory/search": apiMemorySearch,
  "/api/memory/templates": apiMemoryTemplates,
  "/api/model-defaults": apiModelDefaults,
  "/api/notes": apiNotes,
  "/api/notes/[noteId]": apiNotesNoteId,
  "/api/notifications": apiNotifications,
  "/api/oidc": apiOidc,
  "/api/oidc/test": apiOidcTest,
  "/api/permissions/proposals": apiPermissionsProposals,
  "/api/permissions/proposals/[id]": apiPermissionsProposalsId,
  "/api/permissions/what-if": apiPermissionsWhatIf,
  "/api/price-history": apiPriceHistory,
  "/api/problems": apiProblems,
  "/api/problems/[problemId]": apiProblemsProblemId,
  "/api/projects": apiProjects,
  "/api/projects/[projectId]": apiProjectsProjectId,
  "/api/projects/[projectId]/files": apiProjectsProjectIdFiles,
  "/api/projects/[projectId]/files/content": apiProjectsProjectIdFilesContent,
  "/api/projects/[projectId]/instructions": apiProjectsProjectIdInstructions,
  "/api/projects/[projectId]/members": apiProjectsProjectIdMembers,
  "/api/projects/[projectId]/members/[userId]": apiProjectsProjectIdMembersUserId,
  "/api/projects/[projectId]/restore": apiProjectsProjectIdRestore,
  "/api/prompts": apiPrompts,
  "/api/prompts/[promptId]": apiPromptsPromptId,
  "/api/providers": apiProviders,
  "/api/providers/[providerId]": apiProvidersProviderId,
  "/api/providers/[providerId]/agents": apiProvidersProviderIdAgents,
  "/api/providers/[providerId]/models": apiProvidersProviderIdModels,
  "/api/providers/[providerId]/test": apiProvidersProviderIdTest,
  "/api/providers/[providerId]/unpriced": apiProvidersProviderIdUnpriced,
  "/api/push-decisions": apiPushDecisions,
  "/api/push-subscriptions": apiPushSubscriptions,
  "/api/push-subscriptions/[subscriptionId]": apiPushSubscriptionsSubscriptionId,
  "/api/push-subscriptions/[subscriptionId]/test": apiPushSubscriptionsSubscriptionIdTest,
  "/api/replays": apiReplays,
  "/api/replays/[replayId]": apiReplaysReplayId,
  "/api/replays/[replayId]/cancel": apiReplaysReplayIdCancel,
  "/api/runs/[runId]": apiRunsRunId,
  "/api/runs/[runId]/budgets": apiRunsRunIdBudgets,
  "/api/runs/[runId]/cancel": apiRunsRunIdCancel,
  "/api/runs/[runId]/continue": apiRunsRunIdContinue,
  "/api/runs/[runId]/decisions": apiRunsRunIdDecisions,
  "/api/runs/[runId]/events": apiRunsRunIdEvents,
  "/api/runs/[runId]/files": apiRunsRunIdFiles,
  "/api/runs/[runId]/replays": apiRunsRunIdReplays,
  "/api/runs/[runId]/retry": apiRunsRunIdRetry,
  "/api/runs/[runId]/state": apiRunsRunIdState,
  "/api/runs/[runId]/state/file": apiRunsRunIdStateFile,
  "/api/runs/[runId]/stream": apiRunsRunIdStream,
  "/api/runs/[runId]/transcript": apiRunsRunIdTranscript,
  "/api/runs/[runId]/undo": apiRunsRunIdUndo,
  "/api/runs/[runId]/undo/take-back": apiRunsRunIdUndoTakeBack,
  "/api/runs/cancel-all": apiRunsCancelAll,
  "/api/schedules": apiSchedules,
  "/api/schedules/[scheduleId]": apiSchedulesScheduleId,
  "/api/schedules/[scheduleId]/firings": apiSchedulesScheduleIdFirings,
  "/api/schedules/[scheduleId]/run": apiSchedulesScheduleIdRun,
  "/api/schedules/firings": apiSchedulesFirings,
  "/api/schedules/preflight": apiSchedulesPreflight,
  "/api/schedules/times": apiSchedulesTimes,
  "/api/scores": apiScores,
  "/api/scores/[scoreId]": apiScoresScoreId,
  "/api/settings": apiSettings,
  "/api/settings/masking/try": apiSettingsMaskingTry,
  "/api/settings/retention/try": apiSettingsRetentionTry,
  "/api/settings/smtp/test": apiSettingsSmtpTest,
  "/api/setup": apiSetup,
  "/api/shares/[token]": apiSharesToken,
  "/api/shares/[token]/files": apiSharesTokenFiles,
  "/api/skills": apiSkills,
  "/api/skills/[name]": apiSkillsName,
  "/api/skills/[name]/diff": apiSkillsNameDiff,
  "/api/skills/[name]/files": apiSkillsNameFiles,
  "/api/skills/[name]/restore": apiSkillsNameRestore,
  "/api/skills/[name]/usage": apiSkillsNameUsage,
  "/api/skills/[name]/versions": apiSkillsNameVersions,
  "/api/skills/[name]/versions/[number]/restore": apiSkillsNameVersionsNumberRestore,
  "/api/status": apiStatus,
  "/api/storage": apiStorage,
  "/api/threads": apiThreads,
  "/api/threads/[threadId]": apiThreadsThreadId,
  "/api/threads/[threadId]/branch": apiThreadsThreadIdBranch,
  "/api/threads/[threadId]/cancel": apiThreadsThreadIdCancel,
  "/api/threads/[threadId]/compact": apiThreadsThreadIdCompact,
  "/api/threads/[threadId]/context": apiThreadsThreadIdContext,
  "/api/threads/[threadId]/context/last": apiThreadsThreadIdContextLast,
  "/api/threads/[threadId]/export": apiThreadsThreadIdExport,
  "/api/threads/[threadId]/files": apiThreadsThreadIdFiles,
  "/api/threads/[threadId]/files/archive": apiThreadsThreadIdFilesArchive,
  "/api/threads/[threadId]/files/changed": apiThreadsThreadIdFilesChanged,
  "/api/threads/[threadId]/files/content": apiThreadsThreadIdFilesContent,
  "/api/threads/[threadId]/files/diff": apiThreadsThreadIdFilesDiff,
  "/api/threads/[threadId]/files/text": apiThreadsThreadIdFilesText,
  "/api/threads/[threadId]/files/then": apiThreadsThreadIdFilesThen,
  "/api/threads/[threadId]/files/versions": apiThreadsThreadIdFilesVersions,
  "/api/threads/[threadId]/fork": apiThreadsThreadIdFork,
  "/api/threads/[threadId]/messages": apiThreadsThreadIdMessages,
  "/api/threads/[threadId]/messages/[messageId]/edit": apiThreadsThreadIdMessagesMessageIdEdit,
  "/api/threads/[threadId]/messages/[messageId]/regenerate": apiThreadsThreadIdMessagesMessageIdRegenerate,
  "/api/threads/[threadId]/queue": apiThreadsThreadIdQueue,
  "/api/threads/[threadId]/queue/[messageId]": apiThreadsThreadIdQueueMessageId,
  "/api/threads/[threadId]/queue/release": apiThreadsThreadIdQueueRelease,
  "/api/threads/[threadId]/restore": apiThreadsThreadIdRestore,
  "/api/threads/[threadId]/share": apiThreadsThreadIdShare,
  "/api/threads/[threadId]/stream": apiThreadsThreadIdStream,
  "/api/threads/[threadId]/title": apiThreadsThreadIdTitle,
  "/api/threads/[threadId]/todos": apiThreadsThreadIdTodos,
  "/api/threads/export": apiThreadsExport,
  "/api/traces": apiTraces,
  "/api/traces/[traceId]": apiTracesTraceId,
  "/api/traces/[traceId]/bundle": apiTracesTraceIdBundle,
  "/api/traces/[traceId]/explain": apiTracesTraceIdExplain,
  "/api/traces/[traceId]/export": apiTracesTraceIdExport,
  "/api/traces/[traceId]/images/[hash]": apiTracesTraceIdImagesHash,
  "/api/traces/[traceId]/read": apiTracesTraceIdRead,
  "/api/traces/[traceId]/spans/[spanId]": apiTracesTraceIdSpansSpanId,
  "/api/traces/[traceId]/spans/[spanId]/percentile": apiTracesTraceIdSpansSpanIdPercentile,
  "/api/traces/[traceId]/text": apiTracesTraceIdText,
  "/api/traces/charts": apiTracesCharts,
  "/api/traces/compare": apiTracesCompare,
  "/api/traces/difference": apiTracesDifference,
  "/api/traces/facets": apiTracesFacets,
  "/api/traces/parse": apiTracesParse,
  "/api/traces/views": apiTracesViews,
  "/api/traces/views/[viewId]": apiTracesViewsViewId,
  "/api/usage": apiUsage,
  "/api/users": apiUsers,
  "/api/users/[userId]": apiUsersUserId,
  "/api/users/[userId]/erase": apiUsersUserIdErase,
  "/api/users/[userId]/export": apiUsersUserIdExport,
  "/api/users/[userId]/password-link": apiUsersUserIdPasswordLink,
  "/api/users/[userId]/sessions": apiUsersUserIdSessions,
  "/api/users/[userId]/sessions/[sessionId]": apiUsersUserIdSessionsSessionId,
  "/api/users/invite": apiUsersInvite,
  "/api/webhooks": apiWebhooks,
  "/api/webhooks/[webhookId]": apiWebhooksWebhookId,
  "/api/webhooks/[webhookId]/firings": apiWebhooksWebhookIdFirings,
  "/api/webhooks/[webhookId]/rotate": apiWebhooksWebhookIdRotate,
  "/api/webhooks/[webhookId]/test": apiWebhooksWebhookIdTest,
  "/health": health,
  "/hooks/[hookId]": hooksHookId,
  "/hooks/channels/[channelId]": hooksChannelsChannelId,
  "/mcp": mcp,
  "/metrics": metrics,
  "/v1/chat/completions": v1ChatCompletions,
  "/v1/models": v1Models,
  "/v1/models/[model]": v1ModelsModel,
  "/v1/responses": v1Responses,
  "/v1/responses/[responseId]": v1ResponsesResponseId,
};
