/**
 * The words of mail programs in English, German, French, Spanish, Italian, Portuguese, Dutch and Polish, and some from
 * further languages; in lower case. They are consulted where the structure of a mail does not say enough.
 */

/** Stems in the line above a forwarded mail: "---------- Forwarded message ---------". */
export const FORWARDED = [
  ...["forwarded", "weitergeleitet", "transféré", "transmis", "réexpédié", "reenviado", "inoltrat", "encaminhad"],
  ...["doorgestuurd", "doorgezonden", "przekazan", "przekazywan", "przesłan", "przesyłan", "vidarebefordra"],
  ...["videresend", "пересыл", "пересланн", "переслан", "přeposlan", "továbbított", "iletilen", "転送", "转发", "轉寄"],
];

/** Stems in the line above an answered mail: "-----Original Message-----". */
export const ORIGINAL = [
  ...["original", "ursprüngliche", "oorspronkelijk", "oryginaln", "ursprungligt", "oprindelig", "исходное", "původní"],
  ...["元のメッセージ", "原始邮件", "原始郵件", "özgün"],
];

/** Attributions: "On Monday, Ada wrote:". */
export const WROTE = [
  ...["wrote", "schrieb", "a écrit", "escribió", "ha scritto", "scrisse", "escreveu", "schreef", "napisał", "pisze"],
  ...["skrev", "написал", "пишет", "napsal", "yazdı", "írta", "書きました", "写道", "寫道"],
];

/** How a line begins that goes on as an attribution. */
export const ATTRIBUTION_STARTS = [
  ...["on ", "am ", "le ", "el ", "il ", "em ", "op ", "w dniu ", "dnia ", "den ", "på ", "no dia ", "dne "],
];

interface HeaderWords {
  readonly from: readonly string[];
  readonly date: readonly string[];
  readonly to: readonly string[];
  readonly subject: readonly string[];
}

/** The names of a mail's headers where a program shows them above a mail. */
export const HEADERS: HeaderWords = {
  from: ["from", "von", "de", "da", "van", "od", "från", "fra", "от", "差出人", "发件人", "寄件者"],
  date: [
    ...[
      "sent",
      "date",
      "gesendet",
      "datum",
      "envoyé",
      "envoyé le",
      "enviado",
      "enviado el",
      "enviado em",
      "enviada em",
      "fecha",
    ],
    ...["inviato", "data", "verzonden", "wysłano", "wysłane", "skickat", "sendt", "dato", "дата", "отправлено"],
    ...["送信日時", "日付", "发送时间", "日期"],
  ],
  to: ["to", "an", "à", "para", "a", "aan", "do", "till", "til", "кому", "宛先", "收件人"],
  subject: [
    ...["subject", "betreff", "objet", "asunto", "oggetto", "assunto", "onderwerp", "temat", "ämne", "emne", "тема"],
    ...["件名", "主题", "主旨"],
  ],
};

/** What stands before the subject of a forwarded mail. */
export const FORWARD_PREFIXES = [
  ...["fwd", "fw", "wg", "tr", "rv", "i", "enc", "doorst", "pd", "vb", "vs", "vl", "ilt", "пересл", "转发", "転送"],
];

/** What stands before the subject of an answer. */
export const ANSWER_PREFIXES = [
  ...[
    "re",
    "aw",
    "sv",
    "antw",
    "ant",
    "rif",
    "r",
    "res",
    "odp",
    "ref",
    "réf",
    "回复",
    "答复",
    "回覆",
    "ynt",
    "vá",
    "отв",
  ],
];

/** How the lines begin that programs put below what was written. */
export const FOOTERS = [
  ...[
    "sent from my ",
    "sent from mail for ",
    "get outlook for ",
    "von meinem ",
    "von meinem/",
    "gesendet mit ",
    "gesendet von ",
  ],
  ...["envoyé de mon ", "envoyé depuis ", "enviado desde mi ", "enviado do meu ", "enviado a partir ", "inviato da "],
  ...[
    "verzonden vanaf mijn ",
    "verstuurd vanaf mijn ",
    "wysłane z ",
    "wysłano z ",
    "skickat från min ",
    "sendt fra min ",
  ],
];
