// Input: the text of the file with the code of a TorchScript module, of which the class Net is followed.
#include "nets/checkpoints/script/forward_chain.h"
#include "tests/fuzz/fuzz.h"

using namespace ansatz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  fuzz::read_or_refuse([&] {
    nets::ScriptSource source;
    source.code = [&](const std::string&) { return text; };
    for (const nets::ForwardStep& step : nets::forward_chain("__torch__.Net", source, "net.pt")) {
      fuzz::require(step.kind != nets::ForwardStep::Kind::linear || !step.weight.empty(), "a layer has weights");
      fuzz::require(step.kind != nets::ForwardStep::Kind::batch_norm || !(step.mean.empty() || step.variance.empty()),
                    "a batch normalisation has statistics");
      fuzz::require(step.kind != nets::ForwardStep::Kind::activation || !step.what.empty(), "an activation has a name");
    }
  });
  return 0;
}
