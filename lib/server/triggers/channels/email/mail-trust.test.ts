import { describe, expect, test } from "vitest";
import { hasPassedDmarc, type MailHeaders, whyAutomatic } from "./mail-trust";

const PASS = "mx.acme.example; spf=pass smtp.mailfrom=acme.example; dmarc=pass (p=REJECT) header.from=acme.example";
const results = (...values: string[]): MailHeaders => values.map((value) => ({ key: "authentication-results", value }));
const passes = (headers: MailHeaders) => hasPassedDmarc(headers, "mx.acme.example", "petra@acme.example");

describe("Authentication-Results", () => {
  test.for<[string, string[]]>([
    ["says dmarc=pass for the sender's domain", [PASS]],
    ["says it for the domain above the sender's", ["mx.acme.example; dmarc=pass header.from=example"]],
    ["is written in other letters, quoted and commented", ['"MX.acme.example" 1 (a (nested) note); DMARC = Pass (ok)']],
    ["stands below another server's", ["other.example; dmarc=fail", PASS]],
    ["is the topmost of two of its server", [PASS, "mx.acme.example; dmarc=fail"]],
  ])("counts where it %s", ([, values]) => expect(passes(results(...values))).toBe(true));

  test.for<[string, string[]]>([
    ["is missing", []],
    ["is of a server that is not ours", ["mx.evil.example; dmarc=pass header.from=acme.example"]],
    ["was forged below that of our server", ["mx.acme.example; dmarc=fail header.from=acme.example", PASS]],
    ["was forged below one of our server without DMARC", ["mx.acme.example; spf=pass", PASS]],
    ["says fail", ["mx.acme.example; dmarc=fail"]],
    ["says it twice, differently", ["mx.acme.example; dmarc=pass; dmarc=fail"]],
    ["passed for another domain", ["mx.acme.example; dmarc=pass header.from=evil.example"]],
    ["says it in a comment only", ["mx.acme.example; spf=pass (dmarc=pass; dmarc=pass)"]],
    ["says it in a quoted reason", ['mx.acme.example; spf=fail reason="x; dmarc=pass"']],
    ["begins with the name of our server only", ["mx.acme.example.evil.example; dmarc=pass"]],
    ["names our server in a comment", ["evil.example (mx.acme.example); dmarc=pass"]],
    ["has a comment without an end", ["mx.acme.example; spf=fail (; dmarc=pass"]],
    ["was forged below one with a comment without an end", ["mx.acme.example; dmarc=fail (", PASS]],
    ["was forged below one with a quote in a comment", ['mx.acme.example; dmarc=fail (a "b)', PASS]],
    ["was forged below one with an escape outside quotes", ["mx.acme.example; dmarc=fail smtp.mailfrom=a\\;b", PASS]],
    ["has an escape outside quotes", ['mx.acme.example; dmarc=pass; spf=pass smtp.mailfrom=a\\"b']],
  ])("does not count where it %s", ([, values]) => expect(passes(results(...values))).toBe(false));
});

describe("mail that nobody has just written", () => {
  test.for<[string, string]>([
    ["auto-submitted", "auto-replied"],
    ["auto-submitted", "auto-generated; type=vacation"],
    ["list-id", "<team.lists.example>"],
    ["list-unsubscribe", "<mailto:leave@lists.example>"],
    ["list-post", "NO"],
    ["list-archive", "<https://lists.example/team>"],
    ["precedence", "bulk"],
    ["precedence", "auto_reply"],
    ["precedence", ""],
    ["x-autoreply", "yes"],
    ["x-autorespond", ""],
    ["x-auto-response-suppress", "DR, OOF, AutoReply"],
    ["x-auto-response-suppress", "All"],
    ["x-failed-recipients", "eve@acme.example"],
    ["from", "Mail Delivery System <MAILER-DAEMON@mx.acme.example>"],
    ["return-path", "<>"],
    ["return-path", "< > (bounce)"],
    ["content-type", "multipart/report; report-type=delivery-status"],
    ["content-type", "Message/Disposition-Notification"],
  ])("is told by %s: %s", ([key, value]) => expect(whyAutomatic([{ key, value }])).not.toBeNull());

  test.for<[string, string]>([
    ["auto-submitted", "no"],
    ["auto-submitted", "No (a person)"],
    ["auto-submitted", "no; reason=x"],
    ["return-path", "<petra@acme.example>"],
    ["content-type", "text/plain"],
    ["precedence", "normal"],
    ["precedence", "First-Class"],
    ["x-autoreply", "no"],
    ["x-auto-response-suppress", "OOF"],
    ["from", '"mailer-daemon" <petra@acme.example>'],
    ["from", "not-mailer-daemon@acme.example"],
    ["subject", "Auto-Submitted: auto-replied"],
    ["x-mailer", "Precedence: bulk"],
  ])("is not told by a person's own %s: %s", ([key, value]) => expect(whyAutomatic([{ key, value }])).toBeNull());
});
