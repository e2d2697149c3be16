// Copies a folder as it is: links stay links, owners stay owners where this user may set them, sockets and pipes are
// left out, and what vanishes meanwhile (a live server's temporary file) is no reason to fail.
import { chmod, copyFile, lchown, lstat, mkdir, readdir, readlink, symlink } from "node:fs/promises";
import path from "node:path";

export async function copyTree(from, to) {
  const facts = await lstat(from).catch(ignoreMissing);
  if (facts === undefined) return;
  if (facts.isDirectory()) {
    await mkdir(to, { recursive: true, mode: 0o700 });
    const names = (await readdir(from).catch(ignoreMissing)) ?? [];
    for (const name of names) await copyTree(path.join(from, name), path.join(to, name));
  } else if (facts.isSymbolicLink()) {
    await symlink(await readlink(from), to).catch(ignoreMissing);
  } else if (facts.isFile()) {
    await copyFile(from, to).catch(ignoreMissing);
  } else return;
  await keepOwner(to, facts);
}

async function keepOwner(to, facts) {
  if (process.getuid?.() === 0) await lchown(to, facts.uid, facts.gid).catch(ignoreMissing);
  if (!facts.isSymbolicLink()) await chmod(to, facts.mode & 0o7777).catch(ignoreMissing);
}

function ignoreMissing(error) {
  if (error.code !== "ENOENT") throw error;
}
