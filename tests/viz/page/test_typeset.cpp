#include <string>
#include <utility>

#include "tests/support/catch.h"
#include "viz/page/typeset.h"

using ansatz::viz::typeset;

TEST_CASE("formulas are typeset, prose is left as it is") {
  const std::pair<const char*, const char*> cases[] = {
      {"exp(-|x-z|_M / L)", "exp(−‖x − z‖<sub>M</sub> / L)"},
      {"exp(-|x-z|_M^2 / (2 L^2))", "exp(−‖x − z‖<sub>M</sub><sup>2</sup> / (2 L<sup>2</sup>))"},
      {"exp(-(|x-z|_M / L)^gamma)", "exp(−(‖x − z‖<sub>M</sub> / L)<sup>γ</sup>)"},
      {"exp(-|M^1/2 (x-z)|_p^q / L^q)", "exp(−‖M<sup>1/2</sup> (x − z)‖<sub>p</sub><sup>q</sup> / L<sup>q</sup>)"},
      {"(1 + |x-z|_M^2 / (2 alpha L^2))^-alpha",
       "(1 + ‖x − z‖<sub>M</sub><sup>2</sup> / (2 α L<sup>2</sup>))<sup>−α</sup>"},
      {"(1 + s + s^2/3) exp(-s)", "(1 + s + s<sup>2</sup>/3) exp(−s)"},
      {"s = sqrt(3) |x-z|_M / L", "s = √3 ‖x − z‖<sub>M</sub> / L"},
      {"Theta_0 = <x,z>_M, Theta <- Theta k0(u) + Sigma",
       "Θ<sub>0</sub> = ⟨x, z⟩<sub>M</sub>, Θ ← Θ κ<sub>0</sub>(u) + Σ"},
      {"Sigma_depth of a bias-free ReLU network", "Σ<sub>depth</sub> of a bias-free ReLU network"},
      {"k1(u) = (u (pi - acos u) + sqrt(1 - u^2)) / pi",
       "κ<sub>1</sub>(u) = (u (π − acos u) + √(1 − u<sup>2</sup>)) / π"},
      {"Theta(x,x) = (depth + 1) |x|^2", "Θ(x,x) = (depth + 1) ‖x‖<sup>2</sup>"},
      {"alpha = (K(X,X) + ridge I)^-1 Y", "α = (K(X,X) + ridge I)<sup>−1</sup> Y"},
      {"(x-z)' M (x-z), <x,z>_M = x' M z", "(x − z)ᵀ M (x − z), ⟨x, z⟩<sub>M</sub> = xᵀ M z"},
      {"sum of grad f grad f'", "sum of ∇f ∇fᵀ"},
      {"M_t = AGOP^feature_matrix_power", "M<sub>t</sub> = AGOP<sup>feature_matrix_power</sup>"},
      {"residual 3.2e-05, 1e-10, 2.5", "residual 3.2×10<sup>−5</sup>, 10<sup>−10</sup>, 2.5"},
      {"n x c; see class_coding; d*d entries", "n × c; see class_coding; d·d entries"},
      {"|Pearson r| of the i-th eigenvectors", "|Pearson r| of the i-th eigenvectors"},
      {"the network's x-ray: an-other & <c>", "the network's x-ray: an-other &amp; &lt;c&gt;"},
      {"bandwidth > 0, depth >= 1, power in (0, 2]", "bandwidth &gt; 0, depth ≥ 1, power in (0, 2]"}};
  for (const auto& [plain, html] : cases) CHECK(typeset(plain) == html);
}
