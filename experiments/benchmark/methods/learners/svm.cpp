// Support vector machines with a Gaussian kernel: OpenCV's SVM.
#include <algorithm>
#include <cmath>

#include "core/machine/interrupt.h"
#include "experiments/benchmark/methods/learners/learner_method.h"
#include "experiments/benchmark/methods/learners/opencv_rows.h"

namespace ansatz::experiments {
namespace {

struct SvmOptions {
  double cost = 1;          ///< C
  double gamma = 0;         ///< of the kernel exp(-gamma |x - z|²); 0: 1/d
  double epsilon = 0.1;     ///< regression: errors up to that cost nothing, in standard deviations of the targets
  double tolerance = 1e-3;  ///< by which the conditions of optimality may be violated
};

constexpr int kMostIterations = 10'000'000;  // of the solver, as LIBSVM's

SvmOptions parse_svm(const Config& section) {
  SvmOptions options;
  options.cost = section.get_at_least("cost", options.cost, 1e-10, 1e10);
  if (section.has("gamma")) options.gamma = section.get_at_least("gamma", 1.0, 1e-10, 1e10);
  options.epsilon = section.get_at_least("epsilon", options.epsilon, 1e-6, 1e3);
  options.tolerance = section.get_at_least("tolerance", options.tolerance, 1e-8, 1.0);
  return options;
}

/// Computes rows of the kernel matrix in vectors of floats, and ends a long solve where the program is interrupted.
class GaussianRows final : public cv::ml::SVM::Kernel {
 public:
  explicit GaussianRows(double gamma) : gamma_(static_cast<float>(gamma)) {}
  int getType() const override { return cv::ml::SVM::CUSTOM; }
  void solved() { solving_ = false; }

  void calc(int count, int d, const float* rows, const float* row, float* values) override {
    if (solving_) throw_if_interrupted();
    const Eigen::Map<const Matrix<float>> x(rows, count, d);
    const Eigen::Map<const Eigen::RowVectorXf> z(row, d);
    Eigen::Map<Eigen::ArrayXf> k(values, count);
    for (int i = 0; i < count; ++i) k(i) = (x.row(i) - z).squaredNorm();
    k = (-gamma_ * k).exp();
  }

 private:
  float gamma_;
  bool solving_ = true;  // predictions run on threads of OpenCV, through which nothing may be thrown
};

/// What an SVM fitted to `inputs` and responses (integers: classes; floats: a regression) predicts for `asked`.
cv::Mat solve(const SvmOptions& options, const Matrix<float>& inputs, const cv::Mat& responses,
              const Matrix<float>& asked) {
  const double gamma = options.gamma > 0 ? options.gamma : 1 / static_cast<double>(inputs.cols());
  const cv::Ptr<GaussianRows> kernel = cv::makePtr<GaussianRows>(gamma);
  const cv::Ptr<cv::ml::SVM> svm = cv::ml::SVM::create();
  svm->setType(responses.type() == CV_32S ? cv::ml::SVM::C_SVC : cv::ml::SVM::EPS_SVR);
  svm->setCustomKernel(kernel);
  svm->setC(options.cost);
  svm->setP(options.epsilon);
  // OpenCV's own limit of 1000 iterations would end most fits early, without a word.
  svm->setTermCriteria({cv::TermCriteria::MAX_ITER | cv::TermCriteria::EPS, kMostIterations, options.tolerance});
  if (!svm->train(cv::ml::TrainData::create(opencv_rows(inputs), cv::ml::ROW_SAMPLE, responses)))
    throw NumericalError("SVM: OpenCV's solver failed; scale the inputs or lower `cost`");
  kernel->solved();
  cv::Mat predicted;
  svm->predict(opencv_rows(asked), predicted);
  return predicted;
}

class SupportVectors final : public Learner {
 public:
  explicit SupportVectors(const SvmOptions& options) : options_(options) {}

  Matrix<double> fit_predict(const Dataset<double>& train, const Matrix<double>& inputs, Index /*steps*/,
                             const RandomStream& /*stream*/) const override {
    const Matrix<float> fitted = train.inputs.cast<float>(), asked = inputs.cast<float>();
    Matrix<double> predictions = Matrix<double>::Zero(inputs.rows(), train.outputs());
    with_opencv_errors("SVM", [&] {
      if (train.task == Task::classification) {
        const cv::Mat classes = solve(options_, fitted, opencv_classes(train.targets), asked);
        for (int i = 0; i < classes.rows; ++i) predictions(i, static_cast<Index>(classes.at<float>(i))) = 1;
        return;
      }
      for (Index k = 0; k < train.outputs(); ++k) predictions.col(k) = regress(fitted, train.targets.col(k), asked);
    });
    return predictions;
  }

  /// Each of some 2 n steps of the solver takes two rows of the kernel matrix.
  Cost fit_cost(const FitSize& size) const override {
    const auto n = static_cast<double>(size.rows), d = static_cast<double>(size.features);
    const double cache = std::clamp(n * n, 40e6, 500e6);  // bytes, of a quarter of the matrix, within OpenCV's bounds
    Cost cost{"SVM with a Gaussian kernel", ""};
    cost.flops = n * n * (3 * d + 20) + 10 * n * n;
    cost.working_bytes = 3 * n * d * sizeof(float) + cache;
    return cost;
  }

 private:
  /// OpenCV refuses an SVM without support vectors: one whose targets all lie within the width that costs nothing.
  Vector<double> regress(const Matrix<float>& fitted, const Vector<double>& targets, const Matrix<float>& asked) const {
    const double low = targets.minCoeff(), high = targets.maxCoeff();
    if (high - low <= 2 * options_.epsilon) return Vector<double>::Constant(asked.rows(), (low + high) / 2);
    const cv::Mat predicted = solve(options_, fitted, opencv_numbers(targets), asked);
    return Eigen::Map<const Vector<float>>(predicted.ptr<float>(), predicted.rows).cast<double>();
  }

  SvmOptions options_;
};

}  // namespace

std::unique_ptr<Method> make_svm_method(const MethodSection& section) {
  return make_learner_method(section, "standardize",
                             [](const Config& cell) { return std::make_unique<SupportVectors>(parse_svm(cell)); });
}

}  // namespace ansatz::experiments
