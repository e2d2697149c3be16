// V8 keeps the source of every module that is loaded: in UTF-16, twice the size, if one character is outside ASCII. So
// the code of a release has neither comments nor such characters. Names stay, for those who read a stack trace.
import { readFileSync, writeFileSync } from "node:fs";
import { minify } from "rolldown/utils";

const OPTIONS = {
  compress: false,
  mangle: false,
  codegen: { removeWhitespace: true, asciiOnly: true, legalComments: "none" },
} as const;
/** Each is a thread of rolldown's. */
const AT_ONCE = 4;

/** Rewrites these files; `module` says whether they are ES modules. */
export async function minifyCode(files: readonly string[], module: boolean): Promise<void> {
  const queue = files.values();
  const work = async () => {
    for (const file of queue) {
      const { code, errors } = await minify(file, readFileSync(file, "utf8"), { ...OPTIONS, module });
      const [error] = errors;
      if (error !== undefined) throw new Error(`${file}: ${error.message}`);
      writeFileSync(file, code);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
