#!/bin/sh
# prune-packages.sh FOLDER: removes from the packages below FOLDER what no program reads there: sources of native code and
# of TypeScript (Node runs neither from node_modules), types, source maps, texts other than licences, and builds for
# systems other than Linux. Ringmaster's own program is left as it is.
set -eu
find "$1" -type f \( \
    -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.tsx' -o -name '*.map' \
    -o -name '*.c' -o -name '*.cc' -o -name '*.cpp' -o -name '*.h' -o -name '*.gyp' -o -name '*.gypi' \
    -o -name '*.md' -o -name '*.mdx' -o -path '*/prebuilds/darwin-*' -o -path '*/prebuilds/win32-*' \
    \) ! -path '*/ringmaster/program/*' ! -iname '*licen[cs]e*' ! -iname 'notice*' ! -iname 'copying*' -delete
