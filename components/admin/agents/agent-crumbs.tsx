import { ListCrumb } from "@/components/admin/list-crumb";

/** Back to the list of agents. */
export function AgentCrumbs() {
  return <ListCrumb href="/admin/agents">Agents</ListCrumb>;
}
