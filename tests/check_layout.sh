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

# Each include leads to the same room, or to one that tests/rooms.txt lets it lead to: one further up in that file,
# so that there is no circle.
if ! awk '
  function room_of(path) { sub(/\/[^\/]*$/, "", path); return path }
  FILENAME == "tests/rooms.txt" {
    if ($0 ~ /^#/) next
    room = $1; sub(/:$/, "", room); known[room] = 1
    for (i = 2; i <= NF; ++i) {
      allowed[room, $i] = 1
      if (!($i in known) || $i == room) { print "tests/rooms.txt: " room " may not include " $i ", which is not above it"; broken = 1 }
    }
    next
  }
  FNR == 1 {
    here = room_of(FILENAME)
    if (!(here in known)) { print FILENAME ": " here " is not a room of tests/rooms.txt"; broken = 1 }
    ++files[here]
  }
  /^[ \t]*#[ \t]*include[ \t]*"(core|rfm|nets|viz|experiments)\// {
    split($0, part, "\""); there = room_of(part[2])
    if (there != here && !((here, there) in allowed)) {
      print FILENAME ":" FNR ": " here " may not include " there " (tests/rooms.txt)"; broken = 1
    }
  }
  END {
    for (room in files) if (files[room] > 20) { print room ": " files[room] " files; at most 20 in a room"; broken = 1 }
    exit broken
  }' tests/rooms.txt {core,rfm,nets,viz,experiments}/**/*.{h,cpp}; then
  broken=1
fi
forbid "what is below experiments/ knows nothing of tests/" "tests/" {core,rfm,nets,viz}/**/*.{h,cpp}
forbid "experiments/ is above tests/" "tests/" experiments/**/*.{h,cpp}

except "(nets|tests/nets/detail)/.*|tests/textbook/textbook.cpp" "${sources[@]}"
forbid "torch is included in nets/ (and what tests and benchmarks compare with) only" "torch/|ATen/|c10/" "${rest[@]}"
public=(nets/{activation,mlp,training/{trainer,train_options},tangents/{tangent_kernel,linearization,parameters,kernel_descent,hidden_features},checkpoints/checkpoint}.h)
forbid "the public headers of nets/ include no torch" "torch/|ATen/|c10/" "${public[@]}"
forbid "the public headers of nets/ include public headers only" 'nets/(?!(activation|mlp|training/trainer|training/train_options|tangents/parameters|checkpoints/checkpoint)\.h")' "${public[@]}"

learners=experiments/benchmark/methods/learners
except "(viz|tests/viz)/.*|$learners/(opencv_rows\.h|random_forest\.cpp|svm\.cpp)" "${sources[@]}"
forbid "OpenCV is included in viz/ and its tests, and by the learners that are OpenCV's, only" "opencv2/" "${rest[@]}"
except "$learners/(random_forest|svm)\.cpp" "${sources[@]}"
forbid "opencv_rows.h includes OpenCV: it is for the learners that are OpenCV's" "$learners/opencv_rows" "${rest[@]}"
except "experiments/benchmark/xgboost/xgboost_library\.cpp" "${sources[@]}"
forbid "XGBoost is included in experiments/benchmark/xgboost/xgboost_library.cpp only" "xgboost/" "${rest[@]}"
public=(viz/{images/feature_image,plots/figures,report/{report,run_curves,runs_tables},canvas/{runtime,figure_files}}.h)
forbid "the public headers of viz/ include no OpenCV" "opencv2/" "${public[@]}"
forbid "the public headers of viz/ include public headers only" 'viz/(?!(images/feature_image|plots/figures|report/(report|run_curves|runs_tables)|canvas/(runtime|figure_files))\.h")' "${public[@]}"

except "core/config/[a-z_]*\.cpp" "${sources[@]}"
forbid "yaml-cpp is included in the sources of core/config/ only" "yaml-cpp/" "${rest[@]}"
except "core/data/formats/mat_file\.cpp|tests/core/data/sets/test_svhn\.cpp" "${sources[@]}"
forbid "matio is included in core/data/formats/mat_file.cpp (and where tests write .mat files) only" "matio|hdf5" "${rest[@]}"
except "experiments/.*" "${sources[@]}"
forbid "CLI11 is included in experiments/ only" "CLI/" "${rest[@]}"

# The words of the program, in the texts (not the comments) of what can be used without it. Feature matrices are called
# "network.nfm" and so on by the libraries too.
except "core/config/.*" {core,rfm,nets}/**/*.{h,cpp}
if ! awk '
  {
    line = $0
    sub(/\/\/.*/, "", line)
    if (line ~ /^[ \t]*#/) next
    while (match(line, /"([^"\\]|\\.)*"/)) {
      text = substr(line, RSTART, RLENGTH); line = substr(line, RSTART + RLENGTH)
      if (text ~ /^"network[.](nfm0?|agop(_centered)?)"$/) continue
      if (text ~ /[^a-z_.](dataset|network|rfm|comparison)[.][a-z{]|kernel_machines[.]|[^-a-z]--[a-z]/) {
        print FILENAME ":" FNR ": " text; broken = 1
      }
    }
  }
  END { exit broken }' "${rest[@]}"; then
  echo "  ^ what is below experiments/ names no section of a config and no flag: errors name \`options\` (core/base/error.h)"
  broken=1
fi

if grep -rnHE 'TEST_CASE\("[^"]*;' tests --include='*.cpp'; then
  echo "  ^ CTest splits a test's name at a semicolon"
  broken=1
fi

exit $broken
