// CelebA: aligned face pictures with 40 attributes each, one of which is the target.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/data/formats/image_source.h"
#include "core/data/row_source.h"

namespace ansatz {

std::vector<std::string> celeba_files();

/// Reads img_align_celeba/*.jpg, of any size, and list_attr_celeba.txt (or .csv: commas, a header line that begins with
/// image_id, and no count of images, as Kaggle distributes the lists). Class 0 is "no <attribute>", class 1
/// "<attribute>". Only drawn images are decoded; they are resized to image.height x width (both needed). If there is a
/// list_eval_partition.txt (or .csv), its parts 0 and 2 are train and test; part 1 is left out, and validation rows are
/// split off train as in the paper's appendix D. Without it the set comes in one piece. source_rows is an image's place
/// in list_attr_celeba.txt, counted from 0. Throws ConfigError for an attribute that the file does not have, naming the
/// nearest, and DataError naming the file and line of what is damaged.
RowSource open_celeba(const std::filesystem::path& folder, const std::string& attribute, const ImageOptions& image,
                      const ImageReader& read_image);

/// For every image of list_attr_celeba.txt, in its order: 1 if it has the attribute, else 0. Throws as open_celeba();
/// `key`, for messages: the option that names the attribute.
std::vector<Index> celeba_attribute(const std::filesystem::path& folder, const std::string& attribute,
                                    const std::string& key);

}  // namespace ansatz
