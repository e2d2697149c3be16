const CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was closed by the other side",
  EPIPE: "the connection was closed by the other side",
  ENOTFOUND: "the host name is unknown",
  EAI_AGAIN: "the host name could not be looked up",
  ETIMEDOUT: "the connection timed out",
  EHOSTUNREACH: "the host is unreachable",
  ENETUNREACH: "the network is unreachable",
  UND_ERR_SOCKET: "the connection was closed by the other side",
  UND_ERR_CONNECT_TIMEOUT: "the connection timed out",
  UND_ERR_HEADERS_TIMEOUT: "no answer arrived in time",
  UND_ERR_BODY_TIMEOUT: "the answer stopped arriving",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is self-signed",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate cannot be verified",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host",
  EPROTO: "it does not speak TLS on that port",
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not speak TLS on that port",
  HPE_INVALID_CONSTANT: "it does not speak HTTP on that port",
};

/** A network error described for people; undefined when `error` is not a network error. */
export function networkCause(error: unknown): string | undefined {
  let current: unknown = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth++) {
    const words = wordsFor(current);
    if (words) return words;
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  // The AI SDK's wording for a request that was never sent.
  return error instanceof Error ? /^Cannot connect to API: (.+)$/.exec(error.message)?.[1] : undefined;
}

function wordsFor(error: Error): string | undefined {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (CAUSES[code]) return CAUSES[code];
  if (code.startsWith("UND_ERR_") || code.startsWith("ERR_SSL_")) return error.message;
  if (error instanceof TypeError && error.message === "terminated")
    return "the connection was closed by the other side";
  return undefined;
}
