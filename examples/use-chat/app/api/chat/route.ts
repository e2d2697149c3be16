import { callAgent } from "../../../ringmaster";

export async function POST(request: Request): Promise<Response> {
  return callAgent("/chat", { method: "POST", body: await request.text(), signal: request.signal });
}
