// What a page has to explain, and nothing else: the abbreviations and conventions that it uses. Internal to viz/.
#pragma once

#include <string>
#include <vector>

#include "core/record/run_record.h"

namespace ansatz::viz {

/// A line that says what the abbreviations in `html` stand for, each once; empty if there are none.
std::string abbreviations_in(const std::string& html);

/// Those of the record's conventions that its models, or those of its parts, made use of. All, if it is not known what
/// models there were.
NamedTexts used_conventions(const RunRecord& record, const std::vector<RunRecord>& parts);

}  // namespace ansatz::viz
