// Runs in its own process, started by import-openapi.ts: the document comes in on stdin, its operations go out on stdout.
import { text } from "node:stream/consumers";
import { OpenApiRefused, readOpenApi } from "./read-openapi";

const [address = ""] = process.argv.slice(2);
process.stdout.write(JSON.stringify(read(await text(process.stdin))));

function read(document: string): unknown {
  try {
    return readOpenApi(document, address === "" ? null : address);
  } catch (error) {
    return { refused: error instanceof OpenApiRefused ? error.message : "It is damaged, so it can't be read." };
  }
}
