#!/bin/bash
# Folder arrows point down only, each third-party library stays behind its wall, and test names are such that CTest can run them.
# usage: tests/check_layout.sh [SOURCE_FOLDER]
set -euo pipefail
shopt -s globstar nullglob
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/..}"
broken=0

# forbid WHAT INCLUDE_REGEX FILE...: no FILE may include what the regular expression matches.
forbid() {
  local what=$1 regex=$2
  shift 2
  if [[ $# -gt 0 ]] && grep -nHP "^\s*#\s*include\s*[<\"]($regex)" "$@"; then
    echo "  ^ $what"
    broken=1
  fi
}

# except REGEX FILE...: the files whose names do not match, into the array `rest`.
except() {
  local regex=$1 file
  shift
  rest=()
  for file in "$@"; do [[ $file =~ ^($regex)$ ]] || rest+=("$file"); done
}

sources=({core,rfm,nets,viz,experiments,tests}/**/*.{h,cpp})
[[ ${#sources[@]} -gt 0 ]] || { echo "no sources in $PWD"; exit 1; }

forbid "core/ includes no other folder" "(rfm|nets|viz|experiments|tests)/" core/**/*.{h,cpp}
forbid "rfm/ includes core/ only" "(nets|viz|experiments|tests)/" rfm/**/*.{h,cpp}
forbid "nets/ includes core/ only" "(rfm|viz|experiments|tests)/" nets/**/*.{h,cpp}
forbid "viz/ includes core/ only" "(rfm|nets|experiments|tests)/" viz/**/*.{h,cpp}
except "experiments/(paper/.*|registry\.cpp)" experiments/**/*.{h,cpp}
forbid "the paper's experiments are known to experiments/registry.cpp only" "experiments/paper/" "${rest[@]}"
forbid "experiments/ is above tests/" "tests/" experiments/**/*.{h,cpp}

except "(nets|tests/nets/detail)/.*|tests/textbook/textbook.cpp" "${sources[@]}"
forbid "torch is included in nets/ (and what tests and benchmarks compare with) only" "torch/|ATen/|c10/" "${rest[@]}"
public=(nets/{mlp,trainer,checkpoint}.h)
forbid "the public headers of nets/ include no torch" "torch/|ATen/|c10/" "${public[@]}"
forbid "the public headers of nets/ include public headers only" 'nets/(?!(mlp|trainer|checkpoint)\.h")' "${public[@]}"

except "(viz|tests/viz)/.*" "${sources[@]}"
forbid "OpenCV is included in viz/ and its tests only" "opencv2/" "${rest[@]}"
public=(viz/{feature_image,figures,report,runtime}.h)
forbid "the public headers of viz/ include no OpenCV" "opencv2/" "${public[@]}"
forbid "the public headers of viz/ include public headers only" 'viz/(?!(feature_image|figures|report|runtime)\.h")' "${public[@]}"

except "core/config[a-z_]*\.cpp" "${sources[@]}"
forbid "yaml-cpp is included in core/config*.cpp only" "yaml-cpp/" "${rest[@]}"
except "core/mat_file\.cpp|tests/core/test_svhn\.cpp" "${sources[@]}"
forbid "matio is included in core/mat_file.cpp (and where tests write .mat files) only" "matio|hdf5" "${rest[@]}"
except "experiments/.*" "${sources[@]}"
forbid "CLI11 is included in experiments/ only" "CLI/" "${rest[@]}"

if grep -rnHE 'TEST_CASE\("[^"]*;' tests --include='*.cpp'; then
  echo "  ^ CTest splits a test's name at a semicolon"
  broken=1
fi

exit $broken
