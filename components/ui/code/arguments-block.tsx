import { CodeBlock } from "./code-block";

export function ArgumentsBlock({ args }: { args: Readonly<Record<string, unknown>> }) {
  const code = JSON.stringify(args, null, 2);
  return <CodeBlock isBare wrap code={code} title="arguments.json" className="max-h-96 overflow-auto" />;
}
