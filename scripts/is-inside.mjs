import path from "node:path";

/** Whether `place` is `folder` or lies in it. */
export function isInside(place, folder) {
  const way = path.relative(path.resolve(folder), path.resolve(place));
  return way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}
