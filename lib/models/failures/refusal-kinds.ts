/** What providers mean, recognised by their words: each says it differently, and statuses differ too. */

const PER_TIME =
  /\b(?:tokens?|requests?|tpm|tpd|rpm|rpd|calls?)\b[^.]{0,40}\bper[ -_]?(?:second|sec|minute|min|hour|day)\b|\b(?:tpm|tpd|rpm|rpd)\b|token rate limit|call rate limit|tokens_per_|requests_per_/i;
const RATE = /rate.?limit|too many requests|resource_exhausted|throttl|slow down|concurrency|请求过于频繁|频率/i;

const SPEAKS_OF_LENGTH =
  /token|n_ctx|kv cache|input request|context|window|prompt|input length|sequence length|seq_len|`?inputs?`?|conversation|messages|max(?:imum)? (?:model )?length|too long/i;
const SAYS_TOO_MUCH =
  /exceed|too (?:long|large|big)|too many (?:input |prompt |total )?tokens|(?:longer|greater|larger|more) than|overflow|must be (?:<=|≤|less|at most)|must have (?:less|fewer|at most)|range of input length|reduce the length|maximum (?:context|prompt|input|sequence)|(?:context length|context window) (?:is|of)\b|only supports? (?:up to )?\d|surpass|beyond the|context size (?:is )?too small|over the (?:token |context |input )?limit|\d tokens long|at most \d{4,} tokens|reduce your prompt|expected maxlength: \d{4,}/i;
/** What a server says of a negative room for the answer. */
const NO_ROOM = /max_(?:completion_)?tokens must be at least 1, got -\d|(?:input|prompt)_?(?:length|tokens) \+ max_/i;
const IN_CHINESE =
  /(?:输入|上下文|提示词|prompt|对话|内容|长度|字数|令牌|token).{0,30}(?:超过|超出|过长|超限|超长)|(?:超过|超出).{0,30}(?:长度|上下文|窗口|token)/i;
const IN_OTHER_LANGUAGES =
  /(?:eingabe|kontext|nachricht|unterhaltung|entrée|contexte|invite|entrada|contexto|contesto|mensaje|requête|запрос|контекст|сообщени).{0,60}(?:zu lang|überschr|dépass|trop long|demasiado larg|supera|excede|longo demais|troppo lung|слишком длин|превыш)|(?:入力|コンテキスト|プロンプト).{0,30}(?:長すぎ|超え|超過)|(?:입력|컨텍스트|프롬프트).{0,30}(?:너무 [깁길]|초과)/i;
/** Other things that can be too long or too large. */
const OTHER_LENGTHS =
  /\bimages?\b|picture|\btools?\b|\bcall_id\b|\[\d+\]\.id\b|\baudio\b|\bvideo\b|tool_calls|\bfunctions?\b|function'?s? name|stop sequence|\bstop:|logit_bias|\bkey\b|user name|\.name\b|_key\b|more than one|metadata|temperature|top_p|timeout|timed out/i;
const SURELY_CONTEXT =
  /message tokens|context[ _-]?(?:length|window|size|limit)|prompt (?:is )?too long|input token|prompt token|prompt length|prompt is (?:larger|longer)|length of the (?:messages|prompt|input)|`inputs`|conversation/i;
/** A limit of the reply alone: only the agent's `max_tokens` is too high. */
const OUTPUT_ONLY = /max_(?:completion_|output_|new_)?tokens/i;

const NO_CREDIT =
  /insufficient_quota|insufficient (?:balance|credit|funds)|balance (?:is )?(?:too low|not enough|insufficient|exhausted)|arrear|overdue.?payment|good standing|insufficient_user_quota|check your account balance|used all available credits|spending limit|(?:api )?usage limits?\b|key limit exceeded|budget (?:has been )?exceeded|over budget|free (?:tier|quota).{0,40}exhausted|spending cap|monthly included credits|quota is not enough|top up|r[au]n out of (?:tokens|quota)|credit balance|out of credits?|billing|payment required|requires more credits|余额不足|欠费|额度(?:不足|已用尽|已用完|上限)|预扣费额度失败/i;
const NO_TOOLS =
  /unsupported param: tools|tools param requires --jinja|no endpoints found that support tool|tool choice requires --enable-auto-tool-choice/i;
/** "The model doesn't support the `tools` parameter": what is said of tools as such, not of one of them. */
const NOT_WITH_TOOLS =
  /(?:(?:does not|doesn['’]t|can(?:no|['’])t) support|cannot be used with|can['’]t be used with) (?:the )?[`'"]?(?:tools?|functions?)\b/i;
const TOOLS_ARE_NOT =
  /(?<![\w.])[`'"]?(?:tools|tools? ?_?(?:use|calling|calls?)(?: with function calling)?|function calling)[`'"]? (?:is|are) (?:not (?:supported|available|enabled)|unsupported)/i;

/** A limit per minute or another time: waiting helps, a shorter conversation hardly. */
export function isRateLimit(words: string, status: number): boolean {
  if (PER_TIME.test(words)) return true;
  return (status === 429 || status === 413 || status < 400) && RATE.test(words);
}

export function isTooLong(words: string, status: number): boolean {
  if ([IN_CHINESE, IN_OTHER_LANGUAGES, NO_ROOM].some((pattern) => pattern.test(words))) return true;
  if (!SPEAKS_OF_LENGTH.test(words) || !SAYS_TOO_MUCH.test(words)) {
    return /context_length_exceeded|exceed_context_size|context_window_exceeded/.test(words);
  }
  if (SURELY_CONTEXT.test(words) && !/more than one/i.test(words)) return true;
  return status < 500 && !OTHER_LENGTHS.test(words) && !OUTPUT_ONLY.test(words);
}

/** Addresses are not words: many lead to a page about billing. */
export function hasNoCredit(words: string, status: number): boolean {
  return status === 402 || NO_CREDIT.test(words.replaceAll(/https?:\/\/\S+/g, ""));
}

export function hasNoTools(words: string): boolean {
  return [NO_TOOLS, NOT_WITH_TOOLS, TOOLS_ARE_NOT].some((pattern) => pattern.test(words));
}

/** Requested more than a minute allows: no wait helps. */
export function isAboveRate(words: string): boolean {
  const [, limit, requested] = /limit:? (\d+),(?: used:? \d+,)? requested:? (\d+)/i.exec(words) ?? [];
  return limit !== undefined && Number(requested) > Number(limit);
}
