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
  ...["writes", "folgendes geschrieben", "kirjoitti", "a scris", "έγραψε"],
];

/** What also introduces a quote, below a date. */
export const SAID = ["said", "sagte", "a dit", "dijo", "ha detto", "disse", "zei"];

/** How a line begins that goes on as an attribution. */
export const ATTRIBUTION_STARTS = [
  ...["on ", "am ", "le ", "el ", "il ", "em ", "op ", "w dniu ", "dnia ", "den ", "på ", "no dia ", "dne "],
];

interface HeaderNames {
  readonly from: readonly string[];
  readonly date: readonly string[];
  readonly to: readonly string[];
  readonly subject: readonly string[];
}

/** The names of a mail's headers where a program shows them above a mail. */
export const HEADERS: HeaderNames = {
  from: [
    ...["from", "von", "de", "da", "van", "od", "från", "fra", "от", "差出人", "发件人", "寄件者"],
    ...["lähettäjä", "feladó", "kimden", "de la", "από", "보낸 사람", "보낸사람", "מאת", "من"],
  ],
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
    ...["送信日時", "日付", "发送时间", "日期", "寄件日期", "傳送時間", "lähetetty", "päivämäärä", "odesláno"],
    ...["elküldve", "dátum", "gönderildi", "gönderilme", "tarih", "trimis", "στάλθηκε", "ημερομηνία"],
    ...["보낸 날짜", "날짜", "נשלח", "תאריך", "تاريخ الإرسال", "التاريخ"],
  ],
  to: [
    ...["to", "an", "à", "para", "a", "aan", "do", "till", "til", "кому", "宛先", "收件人", "收件者"],
    ...["vastaanottaja", "komu", "címzett", "kime", "către", "προς", "받는 사람", "받는사람", "אל", "إلى"],
  ],
  subject: [
    ...["subject", "betreff", "objet", "asunto", "oggetto", "assunto", "onderwerp", "temat", "ämne", "emne", "тема"],
    ...["件名", "主题", "主旨", "aihe", "předmět", "tárgy", "konu", "subiect", "θέμα", "제목", "נושא", "الموضوع"],
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

/** How the lines begin that programs put below what was written, whatever follows. */
export const FOOTERS = [
  ...["sent from my ", "sent from mail for ", "get outlook for ", "von meinem ", "von meinem/", "gesendet mit "],
  ...["gesendet von ", "envoyé de mon ", "envoyé depuis ", "enviado desde mi ", "enviado do meu "],
  ...["enviado a partir ", "inviato da ", "inviato dal mio ", "verzonden vanaf mijn ", "verstuurd vanaf mijn "],
  ...["wysłane z ", "wysłano z ", "skickat från min ", "sendt fra min "],
];

/** How they begin and end where they name a program or a device as well. */
export const FOOTER_EDGES: readonly (readonly [string, string])[] = [
  ...["sent from ", "sent via ", "sent with ", "get bluemail ", "envoyé à partir ", "envoyé avec ", "enviado con "],
  ...[
    "enviado com ",
    "enviado por ",
    "inviato con ",
    "verzonden via ",
    "verzonden met ",
    "skickat från ",
    "sendt fra ",
  ],
  ...["lähetetty ", "odesláno z ", "отправлено с ", "отправлено из ", "发自", "發自", "holen sie sich outlook"],
  ...["obtenez outlook", "télécharger outlook", "obtener outlook", "ottieni outlook", "scarica outlook"],
  ...["obter o outlook", "obtenha o outlook", "pobierz aplikację outlook", "pobierz program outlook"],
  ...["hämta outlook", "hent outlook"],
]
  .map((start): readonly [string, string] => [start, ""])
  .concat([
    ["von ", " gesendet"],
    ["diese nachricht wurde ", " gesendet."],
    ["outlook voor ", " downloaden"],
    ["iphone", "から送信"],
    ["iphone", "umdan gönderildi"],
    ["나의 ", "에서 보냄"],
    ["從我的", "傳送"],
  ]);

/** Programs and devices that mails are written with. */
export const MAIL_PROGRAMS = [
  ...[
    "iphone",
    "iphonu",
    "ipad",
    "ipod",
    "galaxy",
    "android",
    "outlook",
    "yahoo mail",
    "proton mail",
    "protonmail",
    "k-9",
  ],
  ...["gmx", "web.de", "telekom mail", "blackberry", "bluemail", "boxer", "samsung", "superhuman", "huawei", "xiaomi"],
  ...["mail for windows", "windows mail", "airmail", "aquamail", "thunderbird", "fairemail", "mailbird", "posteo"],
];
