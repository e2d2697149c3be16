import { takeAttached } from "@/lib/models/demo/attached-rules";
import { boardScript, newCardScript } from "@/lib/models/demo/board-rules";
import { delegationScript } from "@/lib/models/demo/delegation-rules";
import { fileScript } from "@/lib/models/demo/file-rules";
import { heartbeatScript } from "@/lib/models/demo/heartbeat-rules";
import { memoryScript } from "@/lib/models/demo/memory-rules";
import { peopleScript } from "@/lib/models/demo/people-rules";
import { capitalize, plainRequest, slugOf, splitRequest, unquote } from "@/lib/models/demo/request";
import { withoutCommand } from "@/lib/models/demo/skill-rules";
import { templateScript } from "@/lib/models/demo/template-rules";
import { toolScript } from "@/lib/models/demo/tool-rules";
import { cell, codeBlock, readJson } from "@/lib/models/demo/turn";
import { websiteScript } from "@/lib/models/demo/website";
import type { Readers } from "./reader";

const OFFERED = new Set(["write_file", "read_file", "write_todos", "ask_user", "message"]);

/** What the demo model understands of what people write. */
export const DEMO_READERS: Readers = {
  "lib/models/demo/attached-rules.ts#takeAttached": takeAttached,
  "lib/models/demo/board-rules.ts#boardScript": (text) => boardScript(text, () => null),
  "lib/models/demo/board-rules.ts#newCardScript": newCardScript,
  "lib/models/demo/delegation-rules.ts#delegationScript": delegationScript,
  "lib/models/demo/file-rules.ts#fileScript": (text) => fileScript(text, OFFERED),
  "lib/models/demo/heartbeat-rules.ts#heartbeatScript": heartbeatScript,
  "lib/models/demo/memory-rules.ts#memoryScript": memoryScript,
  "lib/models/demo/people-rules.ts#peopleScript": (text) => peopleScript(text, OFFERED),
  "lib/models/demo/request.ts#capitalize": capitalize,
  "lib/models/demo/request.ts#plainRequest": plainRequest,
  "lib/models/demo/request.ts#slugOf": slugOf,
  "lib/models/demo/request.ts#splitRequest": splitRequest,
  "lib/models/demo/request.ts#unquote": unquote,
  "lib/models/demo/skill-rules.ts#withoutCommand": withoutCommand,
  "lib/models/demo/template-rules.ts#templateScript": templateScript,
  "lib/models/demo/tool-rules.ts#toolScript": (text) => toolScript(text, undefined),
  "lib/models/demo/turn.ts#cell": cell,
  "lib/models/demo/turn.ts#codeBlock": (text) => codeBlock(text),
  "lib/models/demo/turn.ts#readJson": readJson,
  "lib/models/demo/website.ts#websiteScript": (text) => websiteScript(text, OFFERED),
};
