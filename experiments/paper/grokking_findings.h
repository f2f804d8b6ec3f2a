// What is found of grokking: when a network fits, when it generalises, and where its features lie meanwhile.
#pragma once

#include <string>
#include <vector>

#include "experiments/parts.h"

namespace ansatz::experiments {

/// The course of a network's or an RFM's training. Accuracies and shares in per cent.
struct Course {
  std::vector<double> steps;        ///< epochs or iterations
  std::vector<double> train, test;  ///< of a network the balanced accuracy on train: the mean over the classes
};

/// Where a first layer looks, at the same epochs: the share of a diagonal that lies on the marker, and the largest that
/// lies on the marker's place moved elsewhere (core/features/region_share.h).
struct ShareCourse {
  std::vector<double> marker, largest_other;
};

struct NetworkCourse : Course {
  ShareCourse weights;  ///< of diag(W₁ᵀW₁)
  ShareCourse learned;  ///< of diag((W₁−W₀)ᵀ(W₁−W₀))
};

NetworkCourse course_of(const NetworkRecord& network);
Course course_of(const RfmRecord& rfm);

struct GrokkingOptions {
  double generalizes = 95;  ///< per cent of test accuracy from which the network counts as generalising
};

/// Where in the course the network has fitted all classes, and where it generalises: the first such observation, or
/// course.steps.size() if there is none.
std::size_t fit_of(const NetworkCourse& course);
std::size_t grok_of(const NetworkCourse& course, const GrokkingOptions& options);

/// The findings that a part will have: those of its RFM, and of its network if it trains one.
std::vector<std::string> grokking_names(const Part& part);
std::vector<Finding> grokking_findings(const GrokkingOptions& options, const Part& part, const RunRecord& record);

}  // namespace ansatz::experiments
