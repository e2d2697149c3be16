/** An error in the expression, described for its author. */
class ExpressionError extends Error {
  override readonly name = "ExpressionError";
}

const MAX_LENGTH = 1_000;
const MAX_DEPTH = 50;

const CONSTANTS = new Map([
  ["pi", Math.PI],
  ["e", Math.E],
  ["tau", 2 * Math.PI],
]);

interface MathFunction {
  readonly least: number;
  readonly most: number;
  apply(...args: number[]): number;
}

const one = (apply: (value: number) => number): MathFunction => ({ least: 1, most: 1, apply });
const two = (apply: (left: number, right: number) => number): MathFunction => ({ least: 2, most: 2, apply });
const many = (apply: (...values: number[]) => number): MathFunction => ({ least: 1, most: 100, apply });

const FUNCTIONS = new Map<string, MathFunction>([
  ...(["sqrt", "cbrt", "abs", "floor", "ceil", "trunc", "sign", "exp"] as const).map(
    (name) => [name, one(Math[name])] as const,
  ),
  ...(["sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"] as const).map(
    (name) => [name, one(Math[name])] as const,
  ),
  ["ln", one(Math.log)],
  ["log2", one(Math.log2)],
  ["log10", one(Math.log10)],
  ["log", { least: 1, most: 2, apply: (value, base = Math.E) => Math.log(value) / Math.log(base) }],
  ["round", { least: 1, most: 2, apply: (value, digits = 0) => roundTo(value, digits) }],
  ["atan2", two(Math.atan2)],
  ["pow", two((base, exponent) => base ** exponent)],
  ["mod", two(remainder)],
  ["hypot", many(Math.hypot)],
  ["min", many(Math.min)],
  ["max", many(Math.max)],
]);

type Token = { readonly type: "number" | "name" | "symbol" | "end"; readonly text: string; readonly position: number };

/** Evaluates an arithmetic expression. Throws ExpressionError; never runs anything but arithmetic. */
export function evaluateExpression(expression: string): number {
  if (expression.length > MAX_LENGTH)
    throw new ExpressionError(`the expression is longer than ${MAX_LENGTH} characters`);
  const value = new Parser(tokenize(expression)).parse();
  if (Number.isNaN(value)) throw new ExpressionError("the result is not a real number");
  if (!Number.isFinite(value)) throw new ExpressionError("the result is too large");
  return value;
}

const TOKEN = /\s*(?:((?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|([A-Za-z_][A-Za-z_0-9]*)|(\*\*|[-+*/%^(),×÷−]))/y;
const SYNONYMS = new Map([
  ["**", "^"],
  ["×", "*"],
  ["÷", "/"],
  ["−", "-"],
]);

function tokenize(expression: string): Token[] {
  const tokens: Token[] = [];
  const text = expression.trimEnd();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const position = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (!match)
      throw new ExpressionError(`unexpected character ${JSON.stringify(text.slice(position).trim()[0] ?? "")}`);
    const [, number, name, symbol = ""] = match;
    if (number !== undefined) tokens.push({ type: "number", text: number, position });
    else if (name !== undefined) tokens.push({ type: "name", text: name, position });
    else tokens.push({ type: "symbol", text: SYNONYMS.get(symbol) ?? symbol, position });
  }
  return [...tokens, { type: "end", text: "", position: text.length }];
}

/** Recursive descent: sum → product → sign → power → atom. `-2^2` is -4 and `2^3^2` is 512, as in mathematics. */
class Parser {
  #next = 0;
  #depth = 0;
  readonly #tokens: readonly Token[];

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): number {
    if (this.#peek().type === "end") throw new ExpressionError("the expression is empty");
    const value = this.#sum();
    if (this.#peek().type !== "end") throw this.#unexpected();
    return value;
  }

  #sum(): number {
    let value = this.#product();
    for (;;) {
      if (this.#take("+")) value += this.#product();
      else if (this.#take("-")) value -= this.#product();
      else return value;
    }
  }

  #product(): number {
    let value = this.#signed();
    for (;;) {
      if (this.#take("*")) value *= this.#signed();
      else if (this.#take("/")) value = divide(value, this.#signed());
      else if (this.#take("%")) value = remainder(value, this.#signed());
      else return value;
    }
  }

  #signed(): number {
    if (++this.#depth > MAX_DEPTH) throw new ExpressionError(`more than ${MAX_DEPTH} levels of nesting`);
    const value = this.#take("-") ? -this.#signed() : this.#take("+") ? this.#signed() : this.#power();
    this.#depth--;
    return value;
  }

  #power(): number {
    const base = this.#atom();
    return this.#take("^") ? base ** this.#signed() : base;
  }

  #atom(): number {
    const token = this.#peek();
    if (token.type === "number") {
      this.#next++;
      return Number(token.text);
    }
    if (token.type === "name") {
      this.#next++;
      return this.#named(token.text);
    }
    if (!this.#take("(")) throw this.#unexpected();
    const value = this.#sum();
    this.#expect(")");
    return value;
  }

  #named(name: string): number {
    const lower = name.toLowerCase();
    const found = FUNCTIONS.get(lower);
    if (found) return this.#call(lower, found);
    const constant = CONSTANTS.get(lower);
    if (constant !== undefined) return constant;
    throw new ExpressionError(
      `unknown name ${name}; functions are ${[...FUNCTIONS.keys()].join(", ")}; constants are pi, e, tau`,
    );
  }

  #call(name: string, { least, most, apply }: MathFunction): number {
    this.#expect("(");
    const args = [this.#sum()];
    while (this.#take(",")) args.push(this.#sum());
    this.#expect(")");
    if (args.length >= least && args.length <= most) return apply(...args);
    const wanted = least === most ? `${least} ${least === 1 ? "number" : "numbers"}` : `${least} to ${most} numbers`;
    throw new ExpressionError(`${name} takes ${wanted}, not ${args.length}`);
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? { type: "end", text: "", position: 0 };
  }

  #take(symbol: string): boolean {
    const token = this.#peek();
    const matches = token.type === "symbol" && token.text === symbol;
    if (matches) this.#next++;
    return matches;
  }

  #expect(symbol: string): void {
    if (!this.#take(symbol)) throw this.#unexpected(symbol);
  }

  #unexpected(wanted?: string): ExpressionError {
    const token = this.#peek();
    const found = token.type === "end" ? "the expression ends too early" : `unexpected ${JSON.stringify(token.text)}`;
    const place = token.type === "end" ? "" : ` at character ${token.position + 1}`;
    return new ExpressionError(wanted ? `${found}${place}: ${JSON.stringify(wanted)} is missing` : `${found}${place}`);
  }
}

function divide(left: number, right: number): number {
  if (right === 0) throw new ExpressionError("division by zero");
  return left / right;
}

function remainder(left: number, right: number): number {
  if (right === 0) throw new ExpressionError("division by zero");
  return left % right;
}

function roundTo(value: number, digits: number): number {
  if (!Number.isInteger(digits) || Math.abs(digits) > 15) throw new ExpressionError("round takes at most 15 digits");
  return shiftPoint(Math.round(shiftPoint(value, digits)), -digits);
}

/**
 * Moves the decimal point within the number's own digits, because multiplying is inexact: `1.005` shifted by two is
 * 100.5.
 */
function shiftPoint(value: number, places: number): number {
  const [digits, exponent = "0"] = String(value).split("e");
  return Number(`${digits}e${Number(exponent) + places}`);
}
