import { callAgent } from "../../../../../ringmaster";

export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const { id } = await params;
  return callAgent(`/chat/${encodeURIComponent(id)}/stream`, { signal: request.signal });
}
