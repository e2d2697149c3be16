import { type Exec, whileAnswered } from "./container";
import { EngineError } from "./engine";

const KEPT_ERROR_CHARS = 500;

/** What a program writes to its standard output. Rejects with EngineError and the program's words if it fails. */
export async function* stdoutOf(exec: Exec): AsyncGenerator<Buffer> {
  let errors = "";
  for await (const { stream, bytes } of whileAnswered(exec)) {
    if (stream === "stdout") yield bytes;
    else errors = `${errors}${bytes.toString("utf8")}`.slice(-KEPT_ERROR_CHARS);
  }
  const exitCode = await exec.ended();
  if (exitCode !== 0) throw new EngineError(`A program of the image failed (${exitCode}): ${errors.trim()}`);
}
