// Written by `npm run generate`.

import * as route3 from "../../agents/[id]/chat/[chatId]/stream/route";
import * as route2 from "../../agents/[id]/chat/route";
import * as route4 from "../../agents/[id]/files/download/route";
import * as route5 from "../../agents/[id]/files/list/route";
import * as route6 from "../../agents/[id]/files/read/route";
import * as route7 from "../../agents/[id]/files/upload/route";
import * as route8 from "../../agents/[id]/flow/route";
import * as route9 from "../../agents/[id]/hooks/route";
import * as route10 from "../../agents/[id]/invoke/route";
import * as route11 from "../../agents/[id]/resume/route";
import * as route1 from "../../agents/[id]/route";
import * as route12 from "../../agents/[id]/stream/route";
import * as route13 from "../../agents/[id]/threads/[threadId]/route";
import * as route14 from "../../agents/hooks/available/route";
import * as route0 from "../../agents/route";
import * as route15 from "../../agents/skills/available/route";
import * as route16 from "../../agents/tools/[name]/route";
import * as route17 from "../../agents/tools/available/route";
import * as route18 from "../../agents/tools/register/route";
import * as route20 from "../../agents/traces/[id]/route";
import * as route19 from "../../agents/traces/route";
import * as route275 from "../../health/route";
import * as route276 from "../../hooks/[hookId]/route";
import * as route277 from "../../hooks/channels/[channelId]/route";
import * as route278 from "../../v1/chat/completions/route";
import * as route280 from "../../v1/models/[model]/route";
import * as route279 from "../../v1/models/route";
import * as route22 from "../account-links/look/route";
import * as route21 from "../account-links/route";
import * as route23 from "../account-links/send/route";
import * as route24 from "../agent-activity/route";
import * as route25 from "../agent-schema/route";
import * as route26 from "../agent-templates/route";
import * as route30 from "../agents/[agentId]/aliases/[name]/route";
import * as route29 from "../agents/[agentId]/aliases/route";
import * as route31 from "../agents/[agentId]/compare/route";
import * as route32 from "../agents/[agentId]/delegates/route";
import * as route33 from "../agents/[agentId]/draft/route";
import * as route34 from "../agents/[agentId]/duplicate/route";
import * as route35 from "../agents/[agentId]/export/route";
import * as route36 from "../agents/[agentId]/mcp-prompts/route";
import * as route37 from "../agents/[agentId]/mcp-resources/route";
import * as route38 from "../agents/[agentId]/permissions/test/route";
import * as route39 from "../agents/[agentId]/preview-context/route";
import * as route40 from "../agents/[agentId]/preview-flow/route";
import * as route41 from "../agents/[agentId]/preview-prompt/route";
import * as route42 from "../agents/[agentId]/prompt-files/route";
import * as route43 from "../agents/[agentId]/publish/route";
import * as route44 from "../agents/[agentId]/restore/route";
import * as route28 from "../agents/[agentId]/route";
import * as route45 from "../agents/[agentId]/try-hook/route";
import * as route48 from "../agents/[agentId]/versions/[number]/restore/route";
import * as route47 from "../agents/[agentId]/versions/[number]/route";
import * as route46 from "../agents/[agentId]/versions/route";
import * as route49 from "../agents/import/route";
import * as route27 from "../agents/route";
import * as route50 from "../agents/validate/route";
import * as route52 from "../alerts/[alertId]/route";
import * as route51 from "../alerts/route";
import * as route54 from "../api-keys/[keyId]/route";
import * as route53 from "../api-keys/route";
import * as route57 from "../approvals/[approvalId]/outcome/route";
import * as route56 from "../approvals/[approvalId]/route";
import * as route55 from "../approvals/route";
import * as route59 from "../audit/export/route";
import * as route58 from "../audit/route";
import * as route60 from "../audit/verify/route";
import * as route61 from "../auth/callback/oidc/route";
import * as route62 from "../auth/change-password/route";
import * as route63 from "../auth/get-session/route";
import * as route64 from "../auth/revoke-other-sessions/route";
import * as route65 from "../auth/sign-in/email/route";
import * as route66 from "../auth/sign-in/social/route";
import * as route67 from "../auth/sign-out/route";
import * as route69 from "../backup/dry-run/route";
import * as route70 from "../backup/files/[name]/route";
import * as route68 from "../backup/route";
import * as route71 from "../backup/run/route";
import * as route73 from "../boards/[boardId]/route";
import * as route74 from "../boards/[boardId]/stop/route";
import * as route77 from "../boards/[boardId]/tasks/[taskId]/claim/route";
import * as route78 from "../boards/[boardId]/tasks/[taskId]/reopen/route";
import * as route79 from "../boards/[boardId]/tasks/[taskId]/result/route";
import * as route80 from "../boards/[boardId]/tasks/[taskId]/review/route";
import * as route76 from "../boards/[boardId]/tasks/[taskId]/route";
import * as route75 from "../boards/[boardId]/tasks/route";
import * as route72 from "../boards/route";
import * as route82 from "../budgets/[budgetId]/route";
import * as route81 from "../budgets/route";
import * as route85 from "../channel-links/[linkId]/restore/route";
import * as route84 from "../channel-links/[linkId]/route";
import * as route83 from "../channel-links/route";
import * as route87 from "../channels/[channelId]/route";
import * as route88 from "../channels/[channelId]/test/route";
import * as route86 from "../channels/route";
import * as route91 from "../deliveries/[deliveryId]/attempts/route";
import * as route92 from "../deliveries/[deliveryId]/resend/route";
import * as route90 from "../deliveries/[deliveryId]/route";
import * as route89 from "../deliveries/route";
import * as route93 from "../documents/check/route";
import * as route94 from "../events/route";
import * as route96 from "../extensions/reload/route";
import * as route95 from "../extensions/route";
import * as route97 from "../frames/image/route";
import * as route98 from "../frames/mermaid/route";
import * as route99 from "../frames/page/route";
import * as route100 from "../frames/pdf/route";
import * as route102 from "../grants/[grantId]/route";
import * as route101 from "../grants/route";
import * as route104 from "../groups/[groupId]/route";
import * as route103 from "../groups/route";
import * as route107 from "../heartbeats/[heartbeatId]/file/route";
import * as route108 from "../heartbeats/[heartbeatId]/firings/route";
import * as route106 from "../heartbeats/[heartbeatId]/route";
import * as route109 from "../heartbeats/[heartbeatId]/run/route";
import * as route105 from "../heartbeats/route";
import * as route111 from "../http-tools/[name]/route";
import * as route112 from "../http-tools/[name]/test/route";
import * as route113 from "../http-tools/import/route";
import * as route110 from "../http-tools/route";
import * as route115 from "../inbox-notes/[noteId]/route";
import * as route114 from "../inbox-notes/route";
import * as route116 from "../inbox-outlook/route";
import * as route119 from "../invitations/[invitationId]/renew/route";
import * as route118 from "../invitations/[invitationId]/route";
import * as route117 from "../invitations/route";
import * as route120 from "../mcp-connections/route";
import * as route123 from "../mcp-servers/[serverId]/accept/route";
import * as route124 from "../mcp-servers/[serverId]/connect/route";
import * as route126 from "../mcp-servers/[serverId]/connections/[userId]/route";
import * as route125 from "../mcp-servers/[serverId]/connections/route";
import * as route127 from "../mcp-servers/[serverId]/refresh/route";
import * as route122 from "../mcp-servers/[serverId]/route";
import * as route129 from "../mcp-servers/[serverId]/tools/[name]/route";
import * as route128 from "../mcp-servers/[serverId]/tools/route";
import * as route130 from "../mcp-servers/callback/route";
import * as route121 from "../mcp-servers/route";
import * as route131 from "../me/route";
import * as route134 from "../memory/[id]/blame/route";
import * as route135 from "../memory/[id]/diff/route";
import * as route136 from "../memory/[id]/restore/route";
import * as route133 from "../memory/[id]/route";
import * as route137 from "../memory/[id]/versions/route";
import * as route138 from "../memory/days/route";
import * as route132 from "../memory/route";
import * as route139 from "../memory/search/route";
import * as route140 from "../memory/templates/route";
import * as route141 from "../model-defaults/route";
import * as route143 from "../notes/[noteId]/route";
import * as route142 from "../notes/route";
import * as route144 from "../notifications/route";
import * as route145 from "../oidc/route";
import * as route146 from "../oidc/test/route";
import * as route147 from "../permissions/what-if/route";
import * as route148 from "../price-history/route";
import * as route150 from "../problems/[problemId]/route";
import * as route149 from "../problems/route";
import * as route154 from "../projects/[projectId]/files/content/route";
import * as route153 from "../projects/[projectId]/files/route";
import * as route155 from "../projects/[projectId]/instructions/route";
import * as route157 from "../projects/[projectId]/members/[userId]/route";
import * as route156 from "../projects/[projectId]/members/route";
import * as route158 from "../projects/[projectId]/restore/route";
import * as route152 from "../projects/[projectId]/route";
import * as route151 from "../projects/route";
import * as route160 from "../prompts/[promptId]/route";
import * as route159 from "../prompts/route";
import * as route163 from "../providers/[providerId]/agents/route";
import * as route164 from "../providers/[providerId]/models/route";
import * as route162 from "../providers/[providerId]/route";
import * as route165 from "../providers/[providerId]/test/route";
import * as route166 from "../providers/[providerId]/unpriced/route";
import * as route161 from "../providers/route";
import * as route167 from "../push-decisions/route";
import * as route169 from "../push-subscriptions/[subscriptionId]/route";
import * as route170 from "../push-subscriptions/[subscriptionId]/test/route";
import * as route168 from "../push-subscriptions/route";
import * as route173 from "../replays/[replayId]/cancel/route";
import * as route172 from "../replays/[replayId]/route";
import * as route171 from "../replays/route";
import * as route175 from "../runs/[runId]/budgets/route";
import * as route176 from "../runs/[runId]/cancel/route";
import * as route177 from "../runs/[runId]/continue/route";
import * as route178 from "../runs/[runId]/decisions/route";
import * as route179 from "../runs/[runId]/events/route";
import * as route180 from "../runs/[runId]/files/route";
import * as route181 from "../runs/[runId]/replays/route";
import * as route182 from "../runs/[runId]/retry/route";
import * as route174 from "../runs/[runId]/route";
import * as route184 from "../runs/[runId]/state/file/route";
import * as route183 from "../runs/[runId]/state/route";
import * as route185 from "../runs/[runId]/stream/route";
import * as route186 from "../runs/[runId]/transcript/route";
import * as route187 from "../runs/[runId]/undo/route";
import * as route188 from "../runs/[runId]/undo/take-back/route";
import * as route189 from "../runs/cancel-all/route";
import * as route192 from "../schedules/[scheduleId]/firings/route";
import * as route191 from "../schedules/[scheduleId]/route";
import * as route193 from "../schedules/[scheduleId]/run/route";
import * as route194 from "../schedules/firings/route";
import * as route195 from "../schedules/preflight/route";
import * as route190 from "../schedules/route";
import * as route196 from "../schedules/times/route";
import * as route198 from "../scores/[scoreId]/route";
import * as route197 from "../scores/route";
import * as route200 from "../settings/masking/try/route";
import * as route201 from "../settings/retention/try/route";
import * as route199 from "../settings/route";
import * as route202 from "../settings/smtp/test/route";
import * as route203 from "../setup/route";
import * as route205 from "../shares/[token]/files/route";
import * as route204 from "../shares/[token]/route";
import * as route208 from "../skills/[name]/diff/route";
import * as route209 from "../skills/[name]/files/route";
import * as route210 from "../skills/[name]/restore/route";
import * as route207 from "../skills/[name]/route";
import * as route211 from "../skills/[name]/usage/route";
import * as route213 from "../skills/[name]/versions/[number]/restore/route";
import * as route212 from "../skills/[name]/versions/route";
import * as route206 from "../skills/route";
import * as route214 from "../status/route";
import * as route215 from "../storage/route";
import * as route218 from "../threads/[threadId]/branch/route";
import * as route219 from "../threads/[threadId]/cancel/route";
import * as route220 from "../threads/[threadId]/compact/route";
import * as route222 from "../threads/[threadId]/context/last/route";
import * as route221 from "../threads/[threadId]/context/route";
import * as route223 from "../threads/[threadId]/export/route";
import * as route225 from "../threads/[threadId]/files/archive/route";
import * as route226 from "../threads/[threadId]/files/changed/route";
import * as route227 from "../threads/[threadId]/files/content/route";
import * as route228 from "../threads/[threadId]/files/diff/route";
import * as route224 from "../threads/[threadId]/files/route";
import * as route229 from "../threads/[threadId]/files/text/route";
import * as route230 from "../threads/[threadId]/files/then/route";
import * as route231 from "../threads/[threadId]/files/versions/route";
import * as route232 from "../threads/[threadId]/fork/route";
import * as route234 from "../threads/[threadId]/messages/[messageId]/edit/route";
import * as route235 from "../threads/[threadId]/messages/[messageId]/regenerate/route";
import * as route233 from "../threads/[threadId]/messages/route";
import * as route237 from "../threads/[threadId]/queue/[messageId]/route";
import * as route238 from "../threads/[threadId]/queue/release/route";
import * as route236 from "../threads/[threadId]/queue/route";
import * as route239 from "../threads/[threadId]/restore/route";
import * as route217 from "../threads/[threadId]/route";
import * as route240 from "../threads/[threadId]/share/route";
import * as route241 from "../threads/[threadId]/stream/route";
import * as route242 from "../threads/[threadId]/title/route";
import * as route243 from "../threads/[threadId]/todos/route";
import * as route244 from "../threads/export/route";
import * as route216 from "../threads/route";
import * as route247 from "../traces/[traceId]/bundle/route";
import * as route248 from "../traces/[traceId]/explain/route";
import * as route249 from "../traces/[traceId]/export/route";
import * as route250 from "../traces/[traceId]/images/[hash]/route";
import * as route251 from "../traces/[traceId]/read/route";
import * as route246 from "../traces/[traceId]/route";
import * as route252 from "../traces/[traceId]/spans/[spanId]/route";
import * as route253 from "../traces/[traceId]/text/route";
import * as route254 from "../traces/charts/route";
import * as route255 from "../traces/compare/route";
import * as route256 from "../traces/difference/route";
import * as route257 from "../traces/facets/route";
import * as route258 from "../traces/parse/route";
import * as route245 from "../traces/route";
import * as route260 from "../traces/views/[viewId]/route";
import * as route259 from "../traces/views/route";
import * as route261 from "../usage/route";
import * as route264 from "../users/[userId]/erase/route";
import * as route265 from "../users/[userId]/export/route";
import * as route266 from "../users/[userId]/password-link/route";
import * as route263 from "../users/[userId]/route";
import * as route268 from "../users/[userId]/sessions/[sessionId]/route";
import * as route267 from "../users/[userId]/sessions/route";
import * as route269 from "../users/invite/route";
import * as route262 from "../users/route";
import * as route272 from "../webhooks/[webhookId]/firings/route";
import * as route273 from "../webhooks/[webhookId]/rotate/route";
import * as route271 from "../webhooks/[webhookId]/route";
import * as route274 from "../webhooks/[webhookId]/test/route";
import * as route270 from "../webhooks/route";

/** Every other route of the app by its path. */
export const ROUTE_MODULES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "/agents": route0,
  "/agents/[id]": route1,
  "/agents/[id]/chat": route2,
  "/agents/[id]/chat/[chatId]/stream": route3,
  "/agents/[id]/files/download": route4,
  "/agents/[id]/files/list": route5,
  "/agents/[id]/files/read": route6,
  "/agents/[id]/files/upload": route7,
  "/agents/[id]/flow": route8,
  "/agents/[id]/hooks": route9,
  "/agents/[id]/invoke": route10,
  "/agents/[id]/resume": route11,
  "/agents/[id]/stream": route12,
  "/agents/[id]/threads/[threadId]": route13,
  "/agents/hooks/available": route14,
  "/agents/skills/available": route15,
  "/agents/tools/[name]": route16,
  "/agents/tools/available": route17,
  "/agents/tools/register": route18,
  "/agents/traces": route19,
  "/agents/traces/[id]": route20,
  "/api/account-links": route21,
  "/api/account-links/look": route22,
  "/api/account-links/send": route23,
  "/api/agent-activity": route24,
  "/api/agent-schema": route25,
  "/api/agent-templates": route26,
  "/api/agents": route27,
  "/api/agents/[agentId]": route28,
  "/api/agents/[agentId]/aliases": route29,
  "/api/agents/[agentId]/aliases/[name]": route30,
  "/api/agents/[agentId]/compare": route31,
  "/api/agents/[agentId]/delegates": route32,
  "/api/agents/[agentId]/draft": route33,
  "/api/agents/[agentId]/duplicate": route34,
  "/api/agents/[agentId]/export": route35,
  "/api/agents/[agentId]/mcp-prompts": route36,
  "/api/agents/[agentId]/mcp-resources": route37,
  "/api/agents/[agentId]/permissions/test": route38,
  "/api/agents/[agentId]/preview-context": route39,
  "/api/agents/[agentId]/preview-flow": route40,
  "/api/agents/[agentId]/preview-prompt": route41,
  "/api/agents/[agentId]/prompt-files": route42,
  "/api/agents/[agentId]/publish": route43,
  "/api/agents/[agentId]/restore": route44,
  "/api/agents/[agentId]/try-hook": route45,
  "/api/agents/[agentId]/versions": route46,
  "/api/agents/[agentId]/versions/[number]": route47,
  "/api/agents/[agentId]/versions/[number]/restore": route48,
  "/api/agents/import": route49,
  "/api/agents/validate": route50,
  "/api/alerts": route51,
  "/api/alerts/[alertId]": route52,
  "/api/api-keys": route53,
  "/api/api-keys/[keyId]": route54,
  "/api/approvals": route55,
  "/api/approvals/[approvalId]": route56,
  "/api/approvals/[approvalId]/outcome": route57,
  "/api/audit": route58,
  "/api/audit/export": route59,
  "/api/audit/verify": route60,
  "/api/auth/callback/oidc": route61,
  "/api/auth/change-password": route62,
  "/api/auth/get-session": route63,
  "/api/auth/revoke-other-sessions": route64,
  "/api/auth/sign-in/email": route65,
  "/api/auth/sign-in/social": route66,
  "/api/auth/sign-out": route67,
  "/api/backup": route68,
  "/api/backup/dry-run": route69,
  "/api/backup/files/[name]": route70,
  "/api/backup/run": route71,
  "/api/boards": route72,
  "/api/boards/[boardId]": route73,
  "/api/boards/[boardId]/stop": route74,
  "/api/boards/[boardId]/tasks": route75,
  "/api/boards/[boardId]/tasks/[taskId]": route76,
  "/api/boards/[boardId]/tasks/[taskId]/claim": route77,
  "/api/boards/[boardId]/tasks/[taskId]/reopen": route78,
  "/api/boards/[boardId]/tasks/[taskId]/result": route79,
  "/api/boards/[boardId]/tasks/[taskId]/review": route80,
  "/api/budgets": route81,
  "/api/budgets/[budgetId]": route82,
  "/api/channel-links": route83,
  "/api/channel-links/[linkId]": route84,
  "/api/channel-links/[linkId]/restore": route85,
  "/api/channels": route86,
  "/api/channels/[channelId]": route87,
  "/api/channels/[channelId]/test": route88,
  "/api/deliveries": route89,
  "/api/deliveries/[deliveryId]": route90,
  "/api/deliveries/[deliveryId]/attempts": route91,
  "/api/deliveries/[deliveryId]/resend": route92,
  "/api/documents/check": route93,
  "/api/events": route94,
  "/api/extensions": route95,
  "/api/extensions/reload": route96,
  "/api/frames/image": route97,
  "/api/frames/mermaid": route98,
  "/api/frames/page": route99,
  "/api/frames/pdf": route100,
  "/api/grants": route101,
  "/api/grants/[grantId]": route102,
  "/api/groups": route103,
  "/api/groups/[groupId]": route104,
  "/api/heartbeats": route105,
  "/api/heartbeats/[heartbeatId]": route106,
  "/api/heartbeats/[heartbeatId]/file": route107,
  "/api/heartbeats/[heartbeatId]/firings": route108,
  "/api/heartbeats/[heartbeatId]/run": route109,
  "/api/http-tools": route110,
  "/api/http-tools/[name]": route111,
  "/api/http-tools/[name]/test": route112,
  "/api/http-tools/import": route113,
  "/api/inbox-notes": route114,
  "/api/inbox-notes/[noteId]": route115,
  "/api/inbox-outlook": route116,
  "/api/invitations": route117,
  "/api/invitations/[invitationId]": route118,
  "/api/invitations/[invitationId]/renew": route119,
  "/api/mcp-connections": route120,
  "/api/mcp-servers": route121,
  "/api/mcp-servers/[serverId]": route122,
  "/api/mcp-servers/[serverId]/accept": route123,
  "/api/mcp-servers/[serverId]/connect": route124,
  "/api/mcp-servers/[serverId]/connections": route125,
  "/api/mcp-servers/[serverId]/connections/[userId]": route126,
  "/api/mcp-servers/[serverId]/refresh": route127,
  "/api/mcp-servers/[serverId]/tools": route128,
  "/api/mcp-servers/[serverId]/tools/[name]": route129,
  "/api/mcp-servers/callback": route130,
  "/api/me": route131,
  "/api/memory": route132,
  "/api/memory/[id]": route133,
  "/api/memory/[id]/blame": route134,
  "/api/memory/[id]/diff": route135,
  "/api/memory/[id]/restore": route136,
  "/api/memory/[id]/versions": route137,
  "/api/memory/days": route138,
  "/api/memory/search": route139,
  "/api/memory/templates": route140,
  "/api/model-defaults": route141,
  "/api/notes": route142,
  "/api/notes/[noteId]": route143,
  "/api/notifications": route144,
  "/api/oidc": route145,
  "/api/oidc/test": route146,
  "/api/permissions/what-if": route147,
  "/api/price-history": route148,
  "/api/problems": route149,
  "/api/problems/[problemId]": route150,
  "/api/projects": route151,
  "/api/projects/[projectId]": route152,
  "/api/projects/[projectId]/files": route153,
  "/api/projects/[projectId]/files/content": route154,
  "/api/projects/[projectId]/instructions": route155,
  "/api/projects/[projectId]/members": route156,
  "/api/projects/[projectId]/members/[userId]": route157,
  "/api/projects/[projectId]/restore": route158,
  "/api/prompts": route159,
  "/api/prompts/[promptId]": route160,
  "/api/providers": route161,
  "/api/providers/[providerId]": route162,
  "/api/providers/[providerId]/agents": route163,
  "/api/providers/[providerId]/models": route164,
  "/api/providers/[providerId]/test": route165,
  "/api/providers/[providerId]/unpriced": route166,
  "/api/push-decisions": route167,
  "/api/push-subscriptions": route168,
  "/api/push-subscriptions/[subscriptionId]": route169,
  "/api/push-subscriptions/[subscriptionId]/test": route170,
  "/api/replays": route171,
  "/api/replays/[replayId]": route172,
  "/api/replays/[replayId]/cancel": route173,
  "/api/runs/[runId]": route174,
  "/api/runs/[runId]/budgets": route175,
  "/api/runs/[runId]/cancel": route176,
  "/api/runs/[runId]/continue": route177,
  "/api/runs/[runId]/decisions": route178,
  "/api/runs/[runId]/events": route179,
  "/api/runs/[runId]/files": route180,
  "/api/runs/[runId]/replays": route181,
  "/api/runs/[runId]/retry": route182,
  "/api/runs/[runId]/state": route183,
  "/api/runs/[runId]/state/file": route184,
  "/api/runs/[runId]/stream": route185,
  "/api/runs/[runId]/transcript": route186,
  "/api/runs/[runId]/undo": route187,
  "/api/runs/[runId]/undo/take-back": route188,
  "/api/runs/cancel-all": route189,
  "/api/schedules": route190,
  "/api/schedules/[scheduleId]": route191,
  "/api/schedules/[scheduleId]/firings": route192,
  "/api/schedules/[scheduleId]/run": route193,
  "/api/schedules/firings": route194,
  "/api/schedules/preflight": route195,
  "/api/schedules/times": route196,
  "/api/scores": route197,
  "/api/scores/[scoreId]": route198,
  "/api/settings": route199,
  "/api/settings/masking/try": route200,
  "/api/settings/retention/try": route201,
  "/api/settings/smtp/test": route202,
  "/api/setup": route203,
  "/api/shares/[token]": route204,
  "/api/shares/[token]/files": route205,
  "/api/skills": route206,
  "/api/skills/[name]": route207,
  "/api/skills/[name]/diff": route208,
  "/api/skills/[name]/files": route209,
  "/api/skills/[name]/restore": route210,
  "/api/skills/[name]/usage": route211,
  "/api/skills/[name]/versions": route212,
  "/api/skills/[name]/versions/[number]/restore": route213,
  "/api/status": route214,
  "/api/storage": route215,
  "/api/threads": route216,
  "/api/threads/[threadId]": route217,
  "/api/threads/[threadId]/branch": route218,
  "/api/threads/[threadId]/cancel": route219,
  "/api/threads/[threadId]/compact": route220,
  "/api/threads/[threadId]/context": route221,
  "/api/threads/[threadId]/context/last": route222,
  "/api/threads/[threadId]/export": route223,
  "/api/threads/[threadId]/files": route224,
  "/api/threads/[threadId]/files/archive": route225,
  "/api/threads/[threadId]/files/changed": route226,
  "/api/threads/[threadId]/files/content": route227,
  "/api/threads/[threadId]/files/diff": route228,
  "/api/threads/[threadId]/files/text": route229,
  "/api/threads/[threadId]/files/then": route230,
  "/api/threads/[threadId]/files/versions": route231,
  "/api/threads/[threadId]/fork": route232,
  "/api/threads/[threadId]/messages": route233,
  "/api/threads/[threadId]/messages/[messageId]/edit": route234,
  "/api/threads/[threadId]/messages/[messageId]/regenerate": route235,
  "/api/threads/[threadId]/queue": route236,
  "/api/threads/[threadId]/queue/[messageId]": route237,
  "/api/threads/[threadId]/queue/release": route238,
  "/api/threads/[threadId]/restore": route239,
  "/api/threads/[threadId]/share": route240,
  "/api/threads/[threadId]/stream": route241,
  "/api/threads/[threadId]/title": route242,
  "/api/threads/[threadId]/todos": route243,
  "/api/threads/export": route244,
  "/api/traces": route245,
  "/api/traces/[traceId]": route246,
  "/api/traces/[traceId]/bundle": route247,
  "/api/traces/[traceId]/explain": route248,
  "/api/traces/[traceId]/export": route249,
  "/api/traces/[traceId]/images/[hash]": route250,
  "/api/traces/[traceId]/read": route251,
  "/api/traces/[traceId]/spans/[spanId]": route252,
  "/api/traces/[traceId]/text": route253,
  "/api/traces/charts": route254,
  "/api/traces/compare": route255,
  "/api/traces/difference": route256,
  "/api/traces/facets": route257,
  "/api/traces/parse": route258,
  "/api/traces/views": route259,
  "/api/traces/views/[viewId]": route260,
  "/api/usage": route261,
  "/api/users": route262,
  "/api/users/[userId]": route263,
  "/api/users/[userId]/erase": route264,
  "/api/users/[userId]/export": route265,
  "/api/users/[userId]/password-link": route266,
  "/api/users/[userId]/sessions": route267,
  "/api/users/[userId]/sessions/[sessionId]": route268,
  "/api/users/invite": route269,
  "/api/webhooks": route270,
  "/api/webhooks/[webhookId]": route271,
  "/api/webhooks/[webhookId]/firings": route272,
  "/api/webhooks/[webhookId]/rotate": route273,
  "/api/webhooks/[webhookId]/test": route274,
  "/health": route275,
  "/hooks/[hookId]": route276,
  "/hooks/channels/[channelId]": route277,
  "/v1/chat/completions": route278,
  "/v1/models": route279,
  "/v1/models/[model]": route280,
};
