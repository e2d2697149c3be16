import { expect, test } from "vitest";
import { cutHistory, type MailKind } from "./cut-history";

const ANSWER: MailKind = { subject: "Re: x", hasReferences: true };
const B = "a@b.example";

// The forms are those of public reports about these programs, with other words.
test.for<[string, string, string]>([
  [
    "proton old",
    `Yes.\n\n‐‐‐‐‐‐‐ Original Message ‐‐‐‐‐‐‐\nOn Thursday, July 22nd, 2026 at 7:32 PM, Agent <${B}> wrote:\n\n> Shall I?`,
    "Yes.",
  ],
  [
    "proton new",
    `Yes.\n\nSent with [Proton Mail](https://proton.me/) secure email.\n\nOn Monday, November 23rd, 2026 at 9:00 AM, Agent <${B}> wrote:\n\n> Shall I?\n`,
    "Yes.",
  ],
  [
    "proton mobile",
    `Yes.\n\nSent from [Proton Mail](https://proton.me/mail/home) for iOS\n\nOn Mon, Nov 23, 2026 at 09:00, Agent <[${B}](mailto:On Mon, Nov 23, 2026 at 09:00, Agent <<a href=)> wrote:\n\n> Shall I?`,
    "Yes.",
  ],
  [
    "proton dash header",
    `Yes.\n\n-------- Original Message --------\nOn Monday, 11/23/26 at 09:00 Agent <${B}> wrote:\n\n> Shall I?`,
    "Yes.",
  ],
  [
    "outlook mac",
    `Yes.\n\nFrom: Agent <${B}>\nDate: Thursday, July 7, 2016 at 3:31 PM\nTo: Petra <p@b.example>\nSubject: Re:\n\nShall I?`,
    "Yes.",
  ],
  [
    "windows mail",
    `Yes.\n\nSent from Mail<https://go.microsoft.com/fwlink/?LinkId=550986> for Windows\n\nFrom: Agent<mailto:${B}>\nSent: 10 July 2020 09:46\nSubject: x\n\nShall I?`,
    "Yes.",
  ],
  [
    "outlook ios",
    `Yes.\n\nGet Outlook for iOS<https://aka.ms/o0ukef>\n________________________________\nFrom: Agent <${B}>\nSent: Monday, November 23, 2026 9:00:00 AM\nTo: Petra <p@b.example>\nSubject: x\n\nShall I?`,
    "Yes.",
  ],
  [
    "outlook android",
    `Yes.\n\nSent from Outlook for Android<https://aka.ms/AAb9ysg>\n________________________________\nFrom: Agent <${B}>\nSent: Monday, November 23, 2026 9:00:00 AM\nTo: Petra\nSubject: x\n\nShall I?`,
    "Yes.",
  ],
  [
    "outlook ios de",
    `Ja.\n\nHolen Sie sich Outlook für iOS<https://aka.ms/o0ukef>\n________________________________\nVon: Agent <${B}>\nGesendet: Montag, 23. November 2026 09:00:00\nAn: Petra <p@b.example>\nBetreff: x\n\nSoll ich?`,
    "Ja.",
  ],
  [
    "outlook ios fr",
    `Oui.\n\nObtenez Outlook pour iOS<https://aka.ms/o0ukef>\n________________________________\nDe : Agent <${B}>\nEnvoyé : lundi 23 novembre 2026 09:00:00\nÀ : Petra <p@b.example>\nObjet : x\n\nPuis-je ?`,
    "Oui.",
  ],
  [
    "outlook ios fr2",
    `Oui.\n\nTélécharger Outlook pour iOS<https://aka.ms/o0ukef>\n________________________________\nDe : Agent <${B}>\nEnvoyé : lundi 23 novembre 2026 09:00:00\nÀ : Petra <p@b.example>\nObjet : x\n\nPuis-je ?`,
    "Oui.",
  ],
  [
    "outlook ios es",
    `Sí.\n\nObtener Outlook para iOS<https://aka.ms/o0ukef>\n________________________________\nDe: Agent <${B}>\nEnviado: lunes, 23 de noviembre de 2026 9:00:00\nPara: Petra <p@b.example>\nAsunto: x\n\n¿Puedo?`,
    "Sí.",
  ],
  [
    "outlook ios it",
    `Sì.\n\nOttieni Outlook per iOS<https://aka.ms/o0ukef>\n________________________________\nDa: Agent <${B}>\nInviato: lunedì 23 novembre 2026 09:00:00\nA: Petra <p@b.example>\nOggetto: x\n\nPosso?`,
    "Sì.",
  ],
  [
    "outlook ios pt",
    `Sim.\n\nObter o Outlook para iOS<https://aka.ms/o0ukef>\n________________________________\nDe: Agent <${B}>\nEnviado: segunda-feira, 23 de novembro de 2026 09:00:00\nPara: Petra <p@b.example>\nAssunto: x\n\nPosso?`,
    "Sim.",
  ],
  [
    "outlook ios nl",
    `Ja.\n\nOutlook voor iOS downloaden<https://aka.ms/o0ukef>\n________________________________\nVan: Agent <${B}>\nVerzonden: maandag 23 november 2026 09:00:00\nAan: Petra <p@b.example>\nOnderwerp: x\n\nMag ik?`,
    "Ja.",
  ],
  [
    "outlook ios pl",
    `Tak.\n\nPobierz aplikację Outlook dla systemu iOS<https://aka.ms/o0ukef>\n________________________________\nOd: Agent <${B}>\nWysłane: poniedziałek, 23 listopada 2026 09:00:00\nDo: Petra <p@b.example>\nTemat: x\n\nCzy mogę?`,
    "Tak.",
  ],
  [
    "yahoo web",
    `Yes.\n    On Wednesday, July 7, 2021, 10:32:07 AM GMT+2, Agent <${B}> wrote:  \n \n Shall I?\n  `,
    "Yes.",
  ],
  [
    "yahoo mobile",
    `Yes.\n\nSent from Yahoo Mail on Android \n \n  On Mon, Nov 23, 2026 at 9:00 AM, Agent<${B}> wrote:   Shall I?\nReally?`,
    "Yes.",
  ],
  [
    "yahoo iphone",
    `Yes.\n\nSent from Yahoo Mail for iPhone\n\n\nOn Monday, November 23, 2026, 9:00 AM, Agent <${B}> wrote:\n\nShall I?`,
    "Yes.",
  ],
  [
    "yahoo de",
    `Ja.\n\n    Am Montag, 23. November 2026, 09:00:00 MEZ hat Agent <${B}> Folgendes geschrieben:  \n \n Soll ich?`,
    "Ja.",
  ],
  [
    "yahoo fr",
    `Oui.\n\n    Le lundi 23 novembre 2026 à 09:00:00 UTC+1, Agent <${B}> a écrit :  \n \n Puis-je ?`,
    "Oui.",
  ],
  [
    "yahoo es",
    `Sí.\n\n    El lunes, 23 de noviembre de 2026, 09:00:00 CET, Agent <${B}> escribió:  \n \n ¿Puedo?`,
    "Sí.",
  ],
  [
    "yahoo it",
    `Sì.\n\n    Il lunedì 23 novembre 2026 alle ore 09:00:00 CET, Agent <${B}> ha scritto:  \n \n Posso?`,
    "Sì.",
  ],
  [
    "gmx",
    `Ja.\n \n\nGesendet: Montag, 23. November 2026 um 09:00 Uhr\nVon: "Agent" <${B}>\nAn: p@b.example\nBetreff: x\nSoll ich?`,
    "Ja.",
  ],
  [
    "gmx app",
    `Ja.\n-- \nDiese Nachricht wurde von meinem Android Mobiltelefon mit GMX Mail gesendet.\nAm 23.11.26, 09:00 schrieb Agent <${B}>:\nSoll ich?`,
    "Ja.",
  ],
  [
    "zimbra",
    `Yes.\n\n----- Original Message -----\nFrom: "Agent" <${B}>\nTo: "Petra" <p@b.example>\nSent: Monday, November 23, 2026 9:00:00 AM\nSubject: x\n\nShall I?`,
    "Yes.",
  ],
  [
    "zimbra fr",
    `Oui.\n\n----- Mail original -----\nDe: "Agent" <${B}>\nÀ: "Petra" <p@b.example>\nEnvoyé: Lundi 23 Novembre 2026 09:00:00\nObjet: x\n\nPuis-je ?`,
    "Oui.",
  ],
  [
    "zimbra de",
    `Ja.\n\n\nVon: "Agent" <${B}>\nAn: "Petra" <p@b.example>\nGesendet: Montag, 23. November 2026 09:00:00\nBetreff: x\n\nSoll ich?`,
    "Ja.",
  ],
  [
    "notes",
    `Yes.\n\n\n\nFrom:   Agent/ACME\nTo:     Petra/ACME@ACME\nDate:   23.11.2026 09:00\nSubject:        x\n\n\n\nShall I?`,
    "Yes.",
  ],
  [
    "inotes",
    `Yes.\n\n-----Agent/ACME wrote: -----\nTo: Petra/ACME@ACME\nFrom: Agent/ACME\nDate: 11/23/2026 09:00AM\nSubject: x\n\nShall I?`,
    "Yes.",
  ],
  [
    "inotes de",
    `Ja.\n\n-----Agent/ACME schrieb: -----\nAn: Petra/ACME@ACME\nVon: Agent/ACME\nDatum: 23.11.2026 09:00\nBetreff: x\n\nSoll ich?`,
    "Ja.",
  ],
  ["apple quoted attribution", `Yes.\n\n> On Nov 23, 2026, at 9:00 AM, Agent <${B}> wrote:\n> \n> Shall I?`, "Yes."],
  [
    "iphone de",
    `Ja.\n\nVon meinem iPhone gesendet\n\n> Am 23.11.2026 um 09:00 schrieb Agent <${B}>:\n> \n> \ufeffSoll ich?`,
    "Ja.",
  ],
  ...[
    "Sent from my iPhone",
    "Gesendet von meinem iPhone",
    "Envoyé de mon iPhone",
    "Enviado desde mi iPhone",
    "Inviato da iPhone",
    "Enviado do meu iPhone",
    "Verstuurd vanaf mijn iPhone",
    "Wysłane z iPhone'a",
    "Sendt fra min iPhone",
    "Skickat från min iPhone",
    "iPhoneから送信",
    "发自我的 iPhone",
    "從我的iPhone傳送",
    "Отправлено с iPhone",
    "Lähetetty iPhonesta",
    "iPhone'umdan gönderildi",
    "Odesláno z iPhonu",
    "나의 iPhone에서 보냄",
    "Inviato dal mio Galaxy",
    "Envoyé depuis mon appareil Galaxy",
    "Sent from my Galaxy",
    "Wysłano z mojego Galaxy",
    "Enviado desde mi Galaxy",
    "Enviado do meu Galaxy",
    "Von meinem/meiner Galaxy gesendet",
    "Von Yahoo Mail auf Android gesendet",
    "Gesendet mit der GMX Mail App",
    "Gesendet mit der Telekom Mail App",
    "Envoyé à partir de Outlook pour Android",
    "Sent from BlueMail",
    "Sent from Workspace ONE Boxer",
    "Sent via BlackBerry Hub+ Inbox for Android",
    "Sent from Samsung tablet.",
    "Sent via Superhuman",
    "Sent via Superhuman ( https://sprh.mn/?vip=a@b.example )",
    "Get Outlook for iOS (https://aka.ms/o0ukef)",
    "Gesendet von Outlook für Android<https://aka.ms/AAb9ysg>",
    "Von Outlook für Android gesendet",
    "Sent with Proton Mail secure email.",
    "Gesendet mit Proton Mail",
    "Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
  ].map((footer): [string, string, string] => [
    footer,
    `Yes.\n\n${footer}\n\nOn Mon, 23 Nov 2026 at 09:00, Agent <${B}> wrote:\n> Shall I?`,
    "Yes.",
  ]),
  [
    "k9",
    `Yes.\n\nOn November 23, 2026 9:00:00 AM GMT+01:00, Agent <${B}> wrote:\n>Shall I?\n>\n>Really?\n\n-- \nSent from my Android device with K-9 Mail. Please excuse my brevity.`,
    "Yes.",
  ],
  [
    "gmail he",
    `כן.\n\n\u202bבתאריך יום ב׳, 23 בנוב׳ 2026 ב-9:00 מאת \u202aAgent\u202c\u200f <\u202a${B}\u202c\u200f>:\u202c\n\n> Shall I?`,
    "כן.",
  ],
  [
    "gmail ar",
    `نعم.\n\nفي الاثنين، ٢٣ نوفمبر ٢٠٢٦ في ٩:٠٠ ص تمت كتابة ما يلي بواسطة Agent <${B}>:\n\n> Shall I?`,
    "نعم.",
  ],
  ["gmail ko", `네.\n\n2026년 11월 23일 (월) 오전 9:00, Agent <${B}>님이 작성:\n\n> Shall I?`, "네."],
  ["gmail ru", `Да.\n\nпн, 23 нояб. 2026 г. в 09:00, Agent <${B}>:\n\n> Shall I?`, "Да."],
  ["spark", `Yes.\nOn 23 Nov 2026, 09:00 +0100, Agent <${B}>, wrote:\n> Shall I?`, "Yes."],
  ["gnus", `Yes.\n\nAgent <${B}> writes:\n\n> Shall I?`, "Yes."],
  ["airmail", `Yes.\n\nOn 23 Nov 2026, at 09:00, Agent said:\n\n\n> Shall I?`, "Yes."],
  ["mutt", `Yes.\n\n* Agent <${B}> [2026-11-23 09:00]:\n> Shall I?`, "Yes."],
  ["mailru", `Да.\n\n>Понедельник, 23 ноября 2026, 9:00 +03:00 от Agent <${B}>:\n>\n>Shall I?`, "Да."],
  ["yandex", `Да.\n\n23.11.2026, 09:00, "Agent" <${B}>:\n> Shall I?`, "Да."],
  ["163", `好的。\n\n\n\n\n\n在 2026-11-23 09:00:00，"Agent" <${B}> 写道：\n\n> Shall I?`, "好的。"],
  [
    "qq",
    `好的。\n\n\n------------------&nbsp;原始邮件&nbsp;------------------\n发件人: "Agent" <${B}>;\n发送时间: 2026年11月23日(星期一) 上午9:00\n收件人: "Petra"<p@b.example>;\n主题: x\n\nShall I?`,
    "好的。",
  ],
  [
    "outlook fi",
    `Kyllä.\n\nLähettäjä: Agent <${B}>\nLähetetty: maanantai 23. marraskuuta 2026 9.00\nVastaanottaja: Petra <p@b.example>\nAihe: x\n\nVoinko?`,
    "Kyllä.",
  ],
  [
    "outlook cs",
    `Ano.\n\nOd: Agent <${B}>\nOdesláno: pondělí 23. listopadu 2026 9:00\nKomu: Petra <p@b.example>\nPředmět: x\n\nMohu?`,
    "Ano.",
  ],
  [
    "outlook hu",
    `Igen.\n\nFeladó: Agent <${B}>\nElküldve: 2026. november 23., hétfő 9:00\nCímzett: Petra <p@b.example>\nTárgy: x\n\nLehet?`,
    "Igen.",
  ],
  [
    "outlook tr",
    `Evet.\n\nKimden: Agent <${B}>\nGönderildi: 23 Kasım 2026 Pazartesi 09:00\nKime: Petra <p@b.example>\nKonu: x\n\nOlur mu?`,
    "Evet.",
  ],
  [
    "outlook ro",
    `Da.\n\nDe la: Agent <${B}>\nTrimis: luni, 23 noiembrie 2026 09:00\nCătre: Petra <p@b.example>\nSubiect: x\n\nPot?`,
    "Da.",
  ],
  [
    "outlook ko",
    `네.\n\n보낸 사람: Agent <${B}>\n보낸 날짜: 2026년 11월 23일 월요일 오전 9:00\n받는 사람: Petra <p@b.example>\n제목: x\n\nShall I?`,
    "네.",
  ],
  [
    "outlook zh-tw",
    `好。\n\n寄件者: Agent <${B}>\n寄件日期: 2026年11月23日 上午 09:00\n收件者: Petra <p@b.example>\n主旨: x\n\nShall I?`,
    "好。",
  ],
  [
    "outlook el",
    `Ναι.\n\nΑπό: Agent <${B}>\nΣτάλθηκε: Δευτέρα, 23 Νοεμβρίου 2026 9:00 πμ\nΠρος: Petra <p@b.example>\nΘέμα: x\n\nΜπορώ;`,
    "Ναι.",
  ],
  [
    "outlook cc importance",
    `Yes.\n\nFrom: Agent <${B}>\nSent: Monday, November 23, 2026 9:00 AM\nTo: Petra <p@b.example>; Very Long List <l@b.example>;\n More <m@b.example>\nCc: Bob <bob@b.example>\nSubject: x\nImportance: High\n\nShall I?`,
    "Yes.",
  ],
  [
    "interleaved outlook",
    `Two answers:\n\n> One?\n\nYes.\n\n> Two?\n\nNo.\n\nBest,\nAda`,
    "Two answers:\n\nYes.\n\nNo.\n\nBest,\nAda",
  ],
])("cuts what is not the person’s own as written by %s", ([, text, own]) => expect(cutHistory(text, ANSWER)).toBe(own));

test.for([
  "I sent it from my iPhone.",
  "Ich habe es mit Outlook gesendet",
  "Sent from Outlook, as you asked, and again from the web",
  "Pobierz raport i wyślij na Android",
  "Get Android for the tablet, please",
  "Von Outlook habe ich es nicht",
  "On 3 May 2026 at 10:00 the log said:\nERROR",
  "Agent <a@b.example> writes: that is what it should show",
  "On 23.11.2026 09:00 I told Bob <bob@b.example> wrote: is a bad name for a field",
  "‐‐ one ‐‐ two",
  "Aihe: kokous\nAika: 9.00\nPaikka: Turku",
  "보낸 사람: 김\n제목: 회의",
])("never cuts %j", (text) => {
  expect(cutHistory(text, ANSWER)).toBe(text);
  expect(cutHistory(`${text}\n\n> Shall I?`, ANSWER)).toBe(text);
});
