#!/bin/sh
# Builds the manifests with kustomize and compares each object with the schemas of the oldest and the newest supported version of Kubernetes. No
# cluster is needed: Go compiles kustomize (go.mod), and pip installs the schemas (requirements.txt) into the cache folder of the tests, once.
# The first argument names a file that gets the built manifests.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cache=${ORRERY_TEST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/orrery-tests}
schemas=$cache/kubernetes-validate-1.37.0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

if [ ! -d "$schemas" ]; then
  mkdir -p "$cache"
  python3 -m pip install --quiet --no-deps --no-compile --disable-pip-version-check --target "$folder/schemas" -r "$here/requirements.txt"
  # In one step, so that an interrupted installation does not look finished. Another run may have made it meanwhile.
  mv "$folder/schemas" "$schemas" 2> /dev/null || [ -d "$schemas" ]
fi

# The overlay reads secrets from files, which no repository has.
cp -R "$here/.." "$folder/kubernetes"
"$here/../../secrets/make-secrets.sh" "$folder/kubernetes/overlays/example/secrets" > /dev/null
(cd "$here" && go tool kustomize build "$folder/kubernetes/overlays/example") > "$folder/built.yaml"
# The components that the example leaves out.
mkdir "$folder/kubernetes/overlays/all"
cat > "$folder/kubernetes/overlays/all/kustomization.yaml" << 'END'
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: orrery
resources: [../example]
components: [../../components/traces, ../../components/kafka-tokens]
END
(cd "$here" && go tool kustomize build "$folder/kubernetes/overlays/all") > "$folder/all.yaml"

said=$(PYTHONPATH=$schemas python3 -m kubernetes_validate --strict -k 1.30 -k 1.37 "$folder/built.yaml") || { echo "$said"; exit 1; }
more=$(PYTHONPATH=$schemas python3 -m kubernetes_validate --strict -k 1.30 -k 1.37 "$folder/all.yaml") || { echo "$more"; exit 1; }
# Objects of other programs have no schema here, and only this one is expected.
unknown=$(echo "$said" | grep WARN | grep -v 'kind PodMonitor ' || true)
if [ -n "$unknown" ]; then
  echo "$unknown"
  exit 1
fi
valid() { echo "$1" | grep -c 'passed for resource .* against version 1.37'; }
echo "$(valid "$said") objects are valid, and $(valid "$more") with all components."
if [ $# -gt 0 ]; then cp "$folder/built.yaml" "$1"; fi
