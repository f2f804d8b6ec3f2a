// Rows and labels as OpenCV's learners take them. For the sources that include OpenCV.
#pragma once

#include <opencv2/core.hpp>
#include <opencv2/ml.hpp>
#include <string>

#include "core/base/error.h"
#include "core/base/matrix.h"

namespace ansatz::experiments {

/// The same memory, which must outlive it. OpenCV takes float32 only.
inline cv::Mat opencv_rows(const Matrix<float>& rows) {
  return {static_cast<int>(rows.rows()), static_cast<int>(rows.cols()), CV_32F, const_cast<float*>(rows.data())};
}

/// n numbers as a column: OpenCV fits a regression to floats.
inline cv::Mat opencv_numbers(const Vector<double>& numbers) {
  cv::Mat column(static_cast<int>(numbers.size()), 1, CV_32F);
  for (int i = 0; i < column.rows; ++i) column.at<float>(i) = static_cast<float>(numbers(i));
  return column;
}

/// The classes of one-hot rows (n x c), 0 to c - 1, as a column: OpenCV fits a classification to integers.
inline cv::Mat opencv_classes(const Matrix<double>& one_hot) {
  cv::Mat column(static_cast<int>(one_hot.rows()), 1, CV_32S);
  for (int i = 0; i < column.rows; ++i) {
    Index label = 0;
    one_hot.row(i).maxCoeff(&label);
    column.at<int>(i) = static_cast<int>(label);
  }
  return column;
}

/// What f() returns; errors of OpenCV and its refusal to train become a NumericalError.
template <class F>
auto with_opencv_errors(const char* learner, F&& f) {
  try {
    return f();
  } catch (const cv::Exception& error) {
    throw NumericalError(std::string(learner) + ": OpenCV failed: " + error.err);
  }
}

}  // namespace ansatz::experiments
