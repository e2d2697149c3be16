import { expect, test } from "vitest";
import { cutHistory, type MailKind } from "./cut-history";

const ANSWER: MailKind = { subject: "Re: x", hasReferences: true };
const NEW: MailKind = { subject: "x", hasReferences: false };
const FORWARD: MailKind = { subject: "Fwd: x", hasReferences: false };
const MARK = "[Forwarded message: cited, not a request]";

test.for<[string, string, string]>([
  [
    "what Gmail quotes",
    "Yes, do it.\n\nOn Mon, 23 Nov 2026 at 09:00, Agent <a@b.example>\nwrote:\n\n> Shall I?\n> Really?\n",
    "Yes, do it.",
  ],
  [
    "what Apple Mail quotes in German",
    "Ja.\n\nAm 23.11.2026 um 09:00 schrieb Agent <a@b.example>:\n> Soll ich?",
    "Ja.",
  ],
  [
    "what Gmail quotes in Chinese",
    "好的。\n\nAgent <a@b.example> 于2026年3月2日周一 10:00写道：\n\n> 可以吗？",
    "好的。",
  ],
  [
    "what Outlook puts below in Brazil",
    "Sim.\n\nDe: Agent <a@b.example>\nEnviada em: segunda-feira, 2 de março de 2026 10:00\nPara: Ada\nAssunto: x\n\nPosso?",
    "Sim.",
  ],
  [
    "a line that Outlook draws",
    "Yes.\n\n---\n\n**From:** Agent <a@b.example>\n**Sent:** Monday\n**To:** Ada\n**Subject:** x\n\nShall I?",
    "Yes.",
  ],
  [
    "what a Galaxy adds",
    "Ja.\n\nVon meinem/meiner Galaxy gesendet\n\n-------- Ursprüngliche Nachricht --------\nVon: Agent\n\nSoll ich?",
    "Ja.",
  ],
  ["what Thunderbird quotes in German", "Ja.\n\nAgent schrieb am 23.11.26 um 09:00:\n> Soll ich?", "Ja."],
  [
    "what Outlook puts below",
    "Yes.\n\n________________________________\nFrom: Agent\nSent: Monday\nTo: Petra\n\nShall I?",
    "Yes.",
  ],
  [
    "what Outlook puts below without a line",
    "Yes.\n\nFrom: Agent <a@b.example>\nSent: Monday\nTo: Petra\nSubject: x\n\nShall I?",
    "Yes.",
  ],
  ["an original message", "Yes.\n-----Original Message-----\nShall I?", "Yes."],
  ["a signature", "Yes.\n\n-- \nPetra Example\nAcme", "Yes."],
  ["what a phone adds", "Yes.\n\nSent from my iPhone\n", "Yes."],
  ["a quote above the answer", "On Monday, Agent wrote:\n> Shall I?\n\nYes, please.", "Yes, please."],
  ["quotes between answers", "> One?\nYes.\n> Two?\nNo.", "Yes.\nNo."],
])("cuts %s", ([, text, own]) => expect(cutHistory(text, ANSWER)).toBe(own));

test.for<[string, string]>([
  ["German", "Am 23.11.2026 um 09:00 schrieb Agent <a@b.example>:"],
  ["French", "Le lun. 23 nov. 2026 à 09:00, Agent <a@b.example> a écrit :"],
  ["Spanish", "El lun, 23 nov 2026 a las 9:00, Agent (<a@b.example>) escribió:"],
  ["Italian", "Il giorno lun 23 nov 2026 alle ore 09:00 Agent <a@b.example>\nha scritto:"],
  ["Portuguese", "Em seg., 23 de nov. de 2026 às 09:00, Agent <a@b.example>\nescreveu:"],
  ["Dutch", "Op ma 23 nov 2026 om 09:00 schreef Agent <a@b.example>:"],
  ["Polish", "pon., 23 lis 2026 o 09:00 Agent <a@b.example> napisał(a):"],
  ["Japanese", "2026年11月23日(月) 9:00 Agent <a@b.example>:"],
  ["unknown", "Ar 23.11.2026 9:00, Agent <a@b.example> zzz:"],
  ["wrapped English", "On Mon, 23 Nov 2026 at 09:00\nAgent <a@b.example> wrote:"],
])("cuts a quote with an attribution in %s, also right below one’s own line", ([, attribution]) => {
  expect(cutHistory(`Yes.\n\n${attribution}\n\n> Shall I?`, ANSWER)).toBe("Yes.");
  expect(cutHistory(`Yes.\n${attribution}\n> Shall I?`, ANSWER)).toBe("Yes.");
});

test("cuts an answered mail without quotation marks below a whole attribution", () => {
  const text = "Yes.\n\nOn Mon, 23 Nov 2026 at 09:00, Agent <a@b.example>\nwrote:\n\nShall I?";
  expect(cutHistory(text, ANSWER)).toBe("Yes.");
});

const HEADERS: Readonly<Record<string, readonly string[]>> = {
  English: ["From", "Sent", "To", "Subject"],
  German: ["Von", "Gesendet", "An", "Betreff"],
  French: ["De", "Envoyé", "À", "Objet"],
  Spanish: ["De", "Enviado el", "Para", "Asunto"],
  Italian: ["Da", "Inviato", "A", "Oggetto"],
  Portuguese: ["De", "Enviado", "Para", "Assunto"],
  Dutch: ["Van", "Verzonden", "Aan", "Onderwerp"],
  Polish: ["Od", "Wysłano", "Do", "Temat"],
};
const headersIn = (language: string, bold = "") => {
  const values = ["Agent <a@b.example>", "23 November 2026 09:00", "Petra", "x"];
  return (HEADERS[language] ?? []).map((name, at) => `${bold}${name}:${bold} ${values[at]}`).join("\n");
};

test.for(Object.keys(HEADERS))(
  "takes headers in %s as history in an answer, and as content in a forward",
  (language) => {
    for (const bold of ["", "*", "**"]) {
      const text = `See.\n\n${headersIn(language, bold)}\n\nShall I?`;
      expect(cutHistory(text, ANSWER)).toBe("See.");
      for (const kind of [FORWARD, NEW, { ...FORWARD, hasReferences: true }]) {
        const kept = cutHistory(text, kind);
        expect(kept.startsWith(`See.\n\n${MARK}\n> `)).toBe(true);
        expect(kept).toContain("\n> Shall I?");
      }
    }
  },
);

test("takes headers in any language below a rule of Outlook as history", () => {
  const text = `Yes.\n\n${"_".repeat(32)}\nZz: Agent <a@b.example>\nYy: 23.11.2026\nXx: Petra\n\nShall I?`;
  expect(cutHistory(text, ANSWER)).toBe("Yes.");
});

test.for([
  "---------- Forwarded message ---------",
  "-------- Weitergeleitete Nachricht --------",
  "-------- Message transféré --------",
  "---------- Mensaje reenviado ---------",
  "---------- Messaggio inoltrato ---------",
  "---------- Mensagem encaminhada ---------",
  "---------- Doorgestuurd bericht ---------",
  "-------- Treść przekazanej wiadomości --------",
  "Begin forwarded message:",
  "Anfang der weitergeleiteten Nachricht:",
  "Début du message réexpédié :",
  "Inicio del mensaje reenviado:",
  "Inizio messaggio inoltrato:",
  "Início da mensagem reencaminhada:",
  "Begin doorgestuurd bericht:",
  "Początek przekazywanej wiadomości:",
])("keeps what stands below %s, with and without a comment, quoted or not", (mark) => {
  const mail = `${mark}\n\nFrom: Bob <bob@example.net>\nSubject: Invoice\n\nPlease pay.\n-- \nBob\n> older`;
  const cited = `${MARK}\n> From: Bob <bob@example.net>\n> Subject: Invoice\n>\n> Please pay.\n> --\n> Bob\n> > older`;
  const quoted = mail.split("\n").map((line) => `> ${line}`);
  for (const kind of [FORWARD, NEW, ANSWER]) {
    expect(cutHistory(mail, kind)).toBe(cited);
    expect(cutHistory(`File this.\n\n-- \nAda\n\n${mail}`, kind)).toBe(`File this.\n\n${cited}`);
    expect(cutHistory(`File this.\n\n${quoted.join("\n")}`, kind)).toBe(`File this.\n\n${cited}`);
  }
});

test("keeps an original message that is passed on, and cuts a forwarded one in what is answered", () => {
  expect(cutHistory("See.\n-----Original Message-----\nPay.", FORWARD)).toBe(`See.\n\n${MARK}\n> Pay.`);
  const answered =
    "Yes.\n\nOn Monday, Ada wrote:\n> See.\n> ---------- Forwarded message ---------\n> From: Bob\n> Pay.";
  expect(cutHistory(answered, ANSWER)).toBe("Yes.");
});

test.for([
  "From: what I have seen, it works.\n\nOn Monday we wrote three things:\n\n- one -- two\n1 > 0",
  "From: Berlin\nTo: Paris\nDate: Monday\nClass: second",
  "From: Berlin",
  "Von: Berlin\nNach: Paris\nAm: 23.11.2026 09:00",
  "One\n\n--\n\nTwo",
  "One\n—\nTwo",
  "One\n---\nTwo\n___\nThree",
  `One\n${"_".repeat(30)}\nTwo`,
  `One\n${"-".repeat(30)}\nTwo`,
  "I forwarded this to:\nBob",
  "Contact: ada@example.net\nPhone: 12 34\nSince: 2026\nState: open",
  "Here is what the log of 2026-11-28 said:\nERROR: x",
  "On 3 May 2026 I wrote to you:\nnothing came back.",
  "My original message was short.",
])("never cuts a person’s own lines: %j", (text) => {
  for (const kind of [ANSWER, NEW, FORWARD]) expect(cutHistory(text, kind)).toBe(text);
});

test("takes more lines than a signature has as a person’s own", () => {
  const lines = "A line of mine.\n".repeat(20);
  expect(cutHistory(`One\n-- \n${lines}`, ANSWER)).toBe(`One\n--\n${lines}`.trim());
});

test("keeps what a person quotes in a mail that answers nothing", () => {
  const text = "What does this say?\n\n> npm error code E1\n> npm error x";
  expect(cutHistory(text, NEW)).toBe(text);
});

test("reads long mails in a time that grows with their length", () => {
  const attacks = ["\n", ">\n", "a:\n", "From: a@b.c\n", "-- \n", "-", "_", "On 2026 a@b.c wrote:\n", "* ", "> > "];
  for (const attack of attacks) {
    const began = performance.now();
    cutHistory(attack.repeat(10_000), ANSWER);
    expect(performance.now() - began, attack).toBeLessThan(1_000);
  }
});
