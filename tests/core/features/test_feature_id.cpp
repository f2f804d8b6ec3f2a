#include "core/features/feature_id.h"
#include "tests/support/catch.h"

using namespace ansatz;

TEST_CASE("feature matrices are found by the names they have in files") {
  for (const FeatureId& id : {FeatureId::nfm(), FeatureId::initial_nfm(), FeatureId::agop(), FeatureId::centered_agop(),
                              FeatureId::rfm(0), FeatureId::rfm(12), FeatureId::truth()}) {
    CHECK(FeatureId::named(id.name()) == id);
    CHECK_FALSE(id.label().empty());
  }
  CHECK(FeatureId::nfm().name() == "network.nfm");
  CHECK(FeatureId::rfm(3).name() == "rfm.M3");
  CHECK(FeatureId::rfm(3) != FeatureId::rfm(2));
  for (const char* name :
       {"", "rfm.M", "rfm.M1x", "rfm.M-1", "rfm.alpha0", "network", "Truth", "rfm.M99999999999999999999"})
    CHECK_FALSE(FeatureId::named(name));
}
