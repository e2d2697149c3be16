import { InstalledSkillList, InstallSkillBody, InstallSkillReply } from "@/lib/schema/skills/skill";
import { json } from "@/lib/server/http/reply";
import { accessOf } from "@/lib/server/platform/db/queries/agent-access";
import { listInstalledSkills } from "@/lib/server/skills/get-skill";
import { installSkill } from "@/lib/server/skills/install-skill";
import { readSkillUpload } from "@/lib/server/skills/read-skill-upload";
import { checkSkillPackage } from "@/lib/server/skills/skill-package";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "read", reply: InstalledSkillList, summary: "List the installed skills" },
  async ({ services, viewer }) =>
    json({ skills: await listInstalledSkills(services.database, accessOf(viewer)) }, { schema: InstalledSkillList }),
);

export const POST = defineRoute(
  {
    access: "admin",
    bodyDocument: InstallSkillBody,
    reply: InstallSkillReply,
    status: 201,
    otherReplies: { 200: InstallSkillReply },
    summary: "Install a skill or its next version, as a zip archive, multipart or JSON; 200 if it already existed",
  },
  async ({ services, request, viewer }) => {
    const { files, fallbackName, name, source } = await readSkillUpload(request);
    const installed = await installSkill(services, checkSkillPackage(files, fallbackName, name), source, viewer);
    return json(installed, { status: installed.outcome === "created" ? 201 : 200, schema: InstallSkillReply });
  },
);
