import type { Pattern } from "./patterns";

/** Up to `count` words in between, in Latin letters. */
const gap = (count: number) => `[^a-z0-9]{1,12}(?:[a-z0-9']{1,24}[^a-z0-9]{1,12}){0,${count}}`;
/** The same in Cyrillic. */
const gapRu = (count: number) => `[^а-яё]{1,12}(?:[а-яё]{1,24}[^а-яё]{1,12}){0,${count}}`;
const latin = (name: Pattern["name"], ...sources: string[]): Pattern => ({
  name,
  reads: "words",
  pattern: new RegExp(`\\b(?:${sources.join("|")})`),
});
const native = (name: Pattern["name"], ...sources: string[]): Pattern => ({
  name,
  reads: "native",
  pattern: new RegExp(`(?:${sources.join("|")})`, "u"),
});

const DE_IGNORE =
  "ignorier(?:e|en|t)?|vergiss|vergesst|vergessen sie|missachte(?:n|t)?|umgeh(?:e|en)|ubergeh(?:e|en)|befolge nicht";
const DE_EARLIER =
  "vorherigen?|bisherigen?|vorigen?|fruheren?|obigen?|vorangegangenen?|vorangehenden?|bestehenden?|deine|ihre|alle";
const DE_INSTRUCTIONS = "anweisungen|instruktionen|befehle|vorgaben|anleitungen|systemanweisungen|richtlinien|prompts?";
const ROMANCE_INSTRUCTIONS =
  "instruc(?:tions|ciones|oes)|consignes|directives|directrices|diretrizes|orientacoes|ordenes|ordens|istruzioni|regole|regles|reglas|regras|indicaciones|comandos|prompts?";
const ROMANCE_EARLIER =
  "precedent(?:es?|i)|ricevut[ei]|anterieures?|anteriores|previas|ci[- ]dessus|de arriba|acima|tes|vos|tus|sus|suas|toutes|tutte|todas|dadas|donnees";
const ROMANCE_IGNORE =
  "ignore[zr]?|ignora[rd]?|ignoren|oublie[zr]?|dimentica(?:re|te)?|olvida[rd]?|olvide[n]?|descarta[r]?|descarte|desconsidere|desconsidera|esqueca|esquece|ne tiens pas compte|ne suis pas|no sigas|nao sigas?|neglige[zr]?";
const RU_BEING =
  "(?:ассистент|помощник|бот|чат-бот|модель|хакер|персонаж|dan|администратор|не ограничен|без ограничений|свободен|другой|другая|злой)";

const JA_INSTRUCTIONS = "(?:指示|命令|指令|プロンプト|ルール)";
const KO_INSTRUCTIONS = "(?:지시|지침|명령|프롬프트|규칙)(?: ?사항)?";

/**
 * German, French, Spanish, Portuguese and Italian without accents; Chinese, Japanese, Korean and Russian in their own
 * scripts.
 */
export const OTHER_LANGUAGES: readonly Pattern[] = [
  latin(
    "ignore_instructions",
    `(?:${DE_IGNORE})${gap(3)}(?:${DE_EARLIER})${gap(2)}(?:${DE_INSTRUCTIONS})\\b`,
    `(?:${ROMANCE_IGNORE})${gap(4)}(?:${ROMANCE_INSTRUCTIONS})${gap(3)}(?:${ROMANCE_EARLIER})\\b`,
    `(?:${ROMANCE_IGNORE})${gap(3)}(?:${ROMANCE_EARLIER})${gap(3)}(?:${ROMANCE_INSTRUCTIONS})\\b`,
  ),
  latin(
    "role_override",
    `du bist (?:jetzt|nun|ab sofort|ab jetzt|von nun an|nicht (?:mehr|langer))${gap(3)}(?:assistent|ki|bot|chatbot|modell|hacker|pirat|dan|administrator|mensch|uneingeschrankt)`,
    "(?:ab jetzt|ab sofort|von nun an) (?:bist du|sind sie|agierst du|handelst du)",
    `(?:tu es|vous etes) (?:maintenant|desormais|a present)${gap(3)}(?:assistante?|ia|bot|modele|pirate|hacker|dan|administrateur)`,
    "(?:desormais|a partir de maintenant),? (?:tu es|vous etes|tu agis|vous agissez)",
    `(?:ahora eres|eres ahora)${gap(3)}(?:asistente|ia|bot|modelo|pirata|hacker|dan|administrador)`,
    "a partir de ahora,? (?:eres|actuas|seras)",
    `(?:agora (?:voce|tu) (?:e|es)|(?:voce|tu) (?:agora )?(?:e|es) agora)${gap(3)}(?:assistente|ia|bot|modelo|pirata|hacker|dan|administrador)`,
    "a partir de agora,? (?:voce|tu) (?:e|es|sera|age|atua)\\b",
  ),
  latin(
    "instruction_injection",
    "(?:neue|aktualisierte|zusatzliche) (?:anweisung(?:en)?|instruktion(?:en)?|befehle|systemanweisung(?:en)?) ?:",
    "nouvelles? (?:instructions?|consignes?|directives?) ?:",
    "nuev[ao]s? (?:instruccion(?:es)?|ordenes|directrices) ?:",
    "nov[ao]s? (?:instrucao|instrucoes|ordens|diretrizes) ?:",
  ),
  latin(
    "delimiter_escape",
    "ende (?:der |des |vom )?(?:system(?:prompts?|nachricht|anweisungen)?|anweisungen)(?= ?[^a-z0-9 ]|$)",
    "fin (?:du|des|de la|del|de las?) (?:systeme|sistema|prompt systeme|message systeme|instructions|instrucciones|mensaje del sistema)(?= ?[^a-z0-9 ]|$)",
    "fim (?:do|das|da) (?:sistema|prompt do sistema|mensagem do sistema|instrucoes)(?= ?[^a-z0-9 ]|$)",
  ),
  native(
    "ignore_instructions",
    `(?:前|上記|上|これまで|今まで|先ほど)の?(?:すべての|全ての|全)?${JA_INSTRUCTIONS}(?:を|は)?(?:すべて|全て|全部)?(?:無視|忘れ|破棄)`,
    `(?:이전|위|앞선|지금까지|기존)의? ?(?:모든 ?)?${KO_INSTRUCTIONS}(?:을|를|은|는)? ?(?:모두 ?|전부 ?)?(?:무시|잊)`,
    "(?:忽略|无视|忽視|無視|忘记|忘記|忘掉|不要理会|不要理會|抛开|别管|不要遵守|不再遵守)[^。！？\\n]{0,10}(?:之前|以前|上面|上述|前面|先前|以上|此前|所有|全部|你的|系统|系統|原来|原有)[^。！？\\n]{0,8}(?:指令|指示|提示|规则|規則|说明|說明|命令|要求|设定|設定|限制)",
    `(?:про)?(?:игнорируй|забудь|отмени|нарушь|обойди|не следуй|не выполняй|отбрось)(?:те)?${gapRu(3)}(?:предыдущи|прежни|прошлы|вышеуказанн|вышестоящ|ранн|изначальн|системн|все|свои|твои)[а-яё]{0,4}${gapRu(2)}(?:инструкци|указани|правил|команд|подсказк|ограничени|директив)`,
    `(?:про)?(?:игнорируй|забудь)(?:те)?${gapRu(1)}вс[её](?:,? что)${gapRu(3)}(?:ранее|раньше|до этого|выше|сказан|говорил)`,
  ),
  native(
    "role_override",
    "(?:你现在是|你現在是|从现在开始,? ?你|從現在開始,? ?你|从现在起,? ?你|從現在起,? ?你|你不再是|你将扮演|你將扮演|你的新角色|进入开发者模式|進入開發者模式|越狱模式)",
    `(?:ты теперь|теперь ты|вы теперь|теперь вы)${gapRu(3)}${RU_BEING}`,
    "(?:отныне|с этого момента|с этой минуты),? (?:ты|вы) ",
    "(?:ты|вы) больше не (?:ассистент|помощник|бот|модель|обязан|ограничен)",
  ),
  native(
    "instruction_injection",
    "(?:新的?|更新的?|额外|額外|真正的?)(?:系统|系統)?(?:指令|指示|提示词|提示詞|命令|任务|任務) ?:",
    "(?:новые|новая|обновл[её]нные|дополнительные) (?:инструкци[ия]|указания|команды|директивы) ?:",
  ),
  native(
    "delimiter_escape",
    "(?:系统|系統)(?:提示|消息|訊息|指令|提示词|提示詞)?(?:结束|結束|到此为止|到此為止)|(?:结束|結束)(?:系统|系統)(?:提示|消息|指令)",
    "конец (?:системы|системн(?:ого|ых) (?:сообщения|промпта|инструкций|запроса)|инструкций)",
  ),
];
