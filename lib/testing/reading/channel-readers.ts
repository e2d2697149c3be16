import { commandIn } from "@/lib/server/channels/chat-commands";
import { messageIdsIn, readAnswerKey } from "@/lib/server/triggers/channels/email/answer-key";
import { cutHistory, forwardedText } from "@/lib/server/triggers/channels/email/cut-history";
import { addressesIn } from "@/lib/server/triggers/channels/email/mail-address";
import { areHeadersAt, isMailHeader, isWithTime } from "@/lib/server/triggers/channels/email/mail-headers";
import { toMailHtml } from "@/lib/server/triggers/channels/email/mail-html";
import {
  containsOne,
  hasPrefix,
  isFooter,
  isRule,
  markOf,
  withoutDirections,
  withoutQuoting,
} from "@/lib/server/triggers/channels/email/mail-marks";
import { withoutSignature } from "@/lib/server/triggers/channels/email/mail-parts";
import { hasPassedDmarc, whyAutomatic } from "@/lib/server/triggers/channels/email/mail-trust";
import { codeIn } from "@/lib/server/triggers/channels/links/pairing";
import { textOfBlocks } from "@/lib/server/triggers/channels/slack/slack-blocks";
import { fromMrkdwn, toMrkdwn } from "@/lib/server/triggers/channels/slack/slack-text";
import { splitText } from "@/lib/server/triggers/channels/split-text";
import { markdownOf } from "@/lib/server/triggers/channels/telegram/message-text";
import { toTelegramHtml } from "@/lib/server/triggers/channels/telegram/to-html";
import { callText, cut } from "@/lib/server/triggers/notify/call-text";
import { renderPrompt } from "@/lib/server/triggers/webhooks/render-prompt";
import type { Readers } from "./reader";

const header = (key: string, value: string) => [{ key, value }];

/** As many entities as the text has places for: Telegram allows a hundred, a scripted server any number. */
function withEntities(text: string, type: string): string {
  const entities = Array.from({ length: Math.ceil(text.length / 8) }, (_, index) => ({
    type,
    offset: index * 8,
    length: 4,
  }));
  return markdownOf(text, entities as never);
}

/** What people and programs send to a channel or a webhook, and what goes out to them. */
export const CHANNEL_READERS: Readers = {
  "lib/server/channels/chat-commands.ts#commandIn": commandIn,
  "lib/server/triggers/channels/email/answer-key.ts#messageIdsIn": messageIdsIn,
  "lib/server/triggers/channels/email/answer-key.ts#readAnswerKey": readAnswerKey,
  "lib/server/triggers/channels/email/cut-history.ts#cutHistory": (text) =>
    cutHistory(text, { subject: "Re: a", hasReferences: true }),
  "lib/server/triggers/channels/email/cut-history.ts#cutHistory of a forward": (text) =>
    cutHistory(text, { subject: "Fwd: a", hasReferences: false }),
  "lib/server/triggers/channels/email/cut-history.ts#cutHistory of another mail": (text) =>
    cutHistory(text, { subject: "a", hasReferences: false }),
  "lib/server/triggers/channels/email/cut-history.ts#cutHistory by its subject": (text) =>
    cutHistory("a", { subject: text, hasReferences: false }),
  "lib/server/triggers/channels/email/cut-history.ts#forwardedText": forwardedText,
  "lib/server/triggers/channels/email/mail-address.ts#addressesIn": addressesIn,
  "lib/server/triggers/channels/email/mail-headers.ts#areHeadersAt": (text) => areHeadersAt(text.split("\n"), 0, true),
  "lib/server/triggers/channels/email/mail-headers.ts#isMailHeader": isMailHeader,
  "lib/server/triggers/channels/email/mail-headers.ts#isWithTime": isWithTime,
  "lib/server/triggers/channels/email/mail-html.ts#toMailHtml": toMailHtml,
  "lib/server/triggers/channels/email/mail-marks.ts#containsOne": (text) => containsOne(text, ["wrote", "schrieb"]),
  "lib/server/triggers/channels/email/mail-marks.ts#hasPrefix": (text) => hasPrefix(text, ["re", "fwd"]),
  "lib/server/triggers/channels/email/mail-marks.ts#isFooter": isFooter,
  "lib/server/triggers/channels/email/mail-marks.ts#isRule": isRule,
  "lib/server/triggers/channels/email/mail-marks.ts#markOf": markOf,
  "lib/server/triggers/channels/email/mail-marks.ts#withoutDirections": withoutDirections,
  "lib/server/triggers/channels/email/mail-marks.ts#withoutQuoting": withoutQuoting,
  "lib/server/triggers/channels/email/mail-parts.ts#withoutSignature": withoutSignature,
  "lib/server/triggers/channels/email/mail-trust.ts#hasPassedDmarc": (text) =>
    hasPassedDmarc(header("authentication-results", text), "mx.example.org", "ada@example.org"),
  "lib/server/triggers/channels/email/mail-trust.ts#whyAutomatic": (text) =>
    ["auto-submitted", "precedence", "from", "return-path", "content-type", "x-auto-response-suppress"].map((key) =>
      whyAutomatic(header(key, text)),
    ),
  "lib/server/triggers/channels/links/pairing.ts#codeIn": codeIn,
  "lib/server/triggers/channels/slack/slack-blocks.ts#textOfBlocks": (text) =>
    textOfBlocks([{ type: "section", text: { type: "mrkdwn", text } }]),
  "lib/server/triggers/channels/slack/slack-text.ts#fromMrkdwn": (text) => fromMrkdwn(text, "U1"),
  "lib/server/triggers/channels/slack/slack-text.ts#toMrkdwn": toMrkdwn,
  "lib/server/triggers/channels/split-text.ts#splitText": (text) => splitText(text, 3_000),
  "lib/server/triggers/channels/split-text.ts#splitText of code": (text) => splitText(`\`\`\`js\n${text}`, 3_000),
  "lib/server/triggers/channels/telegram/message-text.ts#markdownOf": (text) => withEntities(text, "code"),
  "lib/server/triggers/channels/telegram/message-text.ts#markdownOf of quotes": (text) =>
    withEntities(text, "blockquote"),
  "lib/server/triggers/channels/telegram/to-html.ts#toTelegramHtml": toTelegramHtml,
  "lib/server/triggers/notify/call-text.ts#callText": (text) => callText("a", { a: text }),
  "lib/server/triggers/notify/call-text.ts#cut": (text) => cut(text, 1_000),
  "lib/server/triggers/webhooks/render-prompt.ts#renderPrompt": (text) => renderPrompt("{{/a}} {{}}", text),
  "lib/server/triggers/webhooks/render-prompt.ts#renderPrompt of a template": (text) => renderPrompt(text, '{"a":1}'),
};
