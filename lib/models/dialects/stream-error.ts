import { isObject, type JsonObject } from "./event-reader";

/** The error that an event or a body with status 200 reports instead of a piece of the reply; otherwise undefined. */
export function errorIn(value: JsonObject): unknown {
  if (isFilled(value.error)) return withStatus(value.error, value);
  const choice = Array.isArray(value.choices) ? value.choices[0] : undefined;
  if (isObject(choice) && isFilled(choice.error)) return choice.error;
  if (isObject(value.base_resp) && Number(value.base_resp.status_code) > 0) return value.base_resp;
  if (value.choices !== undefined && value.choices !== null) return undefined;
  return looksLikeError(value) ? value : errorInEnvelope(value);
}

/** Tencent's and iFlytek's; the words are found in them. */
function errorInEnvelope({ Response: response, header }: JsonObject): unknown {
  if (isObject(response) && isFilled(response.Error)) return response.Error;
  return isObject(header) && looksLikeError(header) ? header : undefined;
}

function looksLikeError(value: JsonObject): boolean {
  const isCalledError = value.object === "error" || value.type === "error" || value.success === false;
  if (isCalledError || isFilled(value.errors) || isFilled(value.detail)) return true;
  const hasCode = [value.code, value.status, value.statusCode, value.error_code].some(isFilled);
  const words = value.message ?? value.error_msg ?? value.msg ?? (isFilled(value.error_code) ? value.text : undefined);
  return hasCode && typeof words === "string";
}

/** The status may stand beside the error. */
function withStatus(error: unknown, { status, statusCode, code }: JsonObject): unknown {
  const given = statusCode ?? status ?? code;
  if (given === undefined) return error;
  return isObject(error) ? { status: given, ...error } : { message: error, status: given };
}

function isFilled(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isObject(value)) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== "" && value !== false && value !== 0;
}
