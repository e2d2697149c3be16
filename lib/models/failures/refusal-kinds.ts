/** What providers mean, recognised by their words: each says it differently, and statuses differ too. */

const PER_TIME =
  /\b(?:tokens?|requests?|tpm|tpd|rpm|rpd|calls?)\b[^.]{0,40}\bper[ -_]?(?:second|sec|minute|min|hour|day)\b|\b(?:tpm|tpd|rpm|rpd)\b|token rate limit|call rate limit|tokens_per_|requests_per_/i;
const RATE = /rate.?limit|too many requests|resource_exhausted|throttl|slow down|concurrency|请求过于频繁|频率/i;

const SPEAKS_OF_LENGTH =
  /token|input request|context|window|prompt|input length|`?inputs?`?|conversation|messages|max(?:imum)? (?:model )?length|too long/i;
const SAYS_TOO_MUCH =
  /exceed|too (?:long|large|big)|too many (?:input |prompt |total )?tokens|(?:longer|greater|larger|more) than|overflow|must be (?:<=|≤|less|at most)|must have (?:less|fewer|at most)|range of input length|reduce the length|maximum (?:context|prompt|input|sequence)|(?:context length|context window) (?:is|of)\b|only supports? (?:up to )?\d|surpass|beyond the|context size (?:is )?too small|expected maxlength: \d{4,}/i;
const IN_CHINESE =
  /(?:输入|上下文|提示词|长度|字数|令牌|token).{0,30}(?:超过|超出|过长|超限|超长)|(?:超过|超出).{0,30}(?:长度|上下文|窗口|token)/i;
/** Other things that can be too long or too large. */
const OTHER_LENGTHS =
  /\bimages?\b|picture|\btools?\b|\bcall_id\b|\[\d+\]\.id\b|\baudio\b|\bvideo\b|tool_calls|\bfunctions?\b|function'?s? name|stop sequence|\bkey\b|user name|\.name\b|_key\b|more than one|metadata|temperature|top_p|timeout|timed out/i;
const SURELY_CONTEXT =
  /message tokens|context[ _-]?(?:length|window|size|limit)|prompt (?:is )?too long|input token|prompt token|prompt length|length of the (?:messages|prompt|input)|`inputs`|conversation/i;
/** A limit of the reply alone: only the agent's `max_tokens` is too high. */
const OUTPUT_ONLY = /max_(?:completion_|output_|new_)?tokens/i;

const NO_CREDIT =
  /insufficient_quota|insufficient (?:balance|credit|funds)|balance (?:is )?(?:too low|not enough|insufficient|exhausted)|arrear|overdue.?payment|top up|r[au]n out of (?:tokens|quota)|credit balance|out of credits?|billing|payment required|requires more credits|余额不足|欠费/i;
const NO_TOOLS =
  /does not support (?:tools?|function)|tools? (?:use|calling|calls?) (?:is|are) not supported|no endpoints found that support tool|tool choice requires --enable-auto-tool-choice/i;

/** A limit per minute or another time: waiting helps, a shorter conversation hardly. */
export function isRateLimit(words: string, status: number): boolean {
  if (PER_TIME.test(words)) return true;
  return (status === 429 || status === 413 || status < 400) && RATE.test(words);
}

export function isTooLong(words: string, status: number): boolean {
  if (IN_CHINESE.test(words)) return true;
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
  return NO_TOOLS.test(words);
}

/** Requested more than a minute allows: no wait helps. */
export function isAboveRate(words: string): boolean {
  const [, limit, requested] = /limit:? (\d+),(?: used:? \d+,)? requested:? (\d+)/i.exec(words) ?? [];
  return limit !== undefined && Number(requested) > Number(limit);
}
