#!/bin/sh
# Checks the units with systemd-analyze: that systemd accepts them with the drop-in that they share, and that their exposure stays low. Nothing is
# started. The paths of an installation are replaced by those of this repository.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../.." && pwd)
# In tenths: 10.0 is the most. The units have 1.4 with systemd 252; other versions count a little differently.
most_exposure=20
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -R "$here/." "$folder"
find "$folder" -type f -exec sed -i "s#/opt/orrery#$repository#g" {} +
mv "$folder/orrery-adapter@.service" "$folder/orrery-adapter@soroswap.service"
cd "$folder"
for unit in *.service; do
  # It also ends with 0 after warnings, such as one about an unknown setting.
  said=$(systemd-analyze verify --man=no "./$unit" 2>&1) || { echo "$said"; exit 1; }
  # Of the units of the machine that these need, warnings do not matter.
  if echo "$said" | grep -q orrery; then
    echo "$said"
    exit 1
  fi
  exposure=$(systemd-analyze security --offline=true --no-pager --threshold="$most_exposure" "./$unit") || { echo "$exposure"; exit 1; }
  echo "$exposure" | tail -n 1
done
