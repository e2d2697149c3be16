import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** The external effect: a callback tool that counts how often each step of each job was done. */
export async function startTally() {
  const done = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const { args } = (await json(request)) as { args: { job: string; step: number } };
    const name = `${args.job}:${args.step}`;
    done.set(name, (done.get(name) ?? 0) + 1);
    // Long enough to be in flight when a server is killed.
    setTimeout(() => response.end(JSON.stringify({ result: `counted ${name}` })), 5 + Math.random() * 60);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/tally`,
    host: `127.0.0.1:${port}`,
    calls: () => [...done.values()].reduce((sum, count) => sum + count, 0),
    problems: () => [...done].flatMap(([name, count]) => (count > 1 ? [`${name} was done ${count} times`] : [])),
    close: () => server.close(),
  };
}
