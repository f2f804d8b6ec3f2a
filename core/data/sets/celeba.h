// CelebA: aligned face pictures and 40 attributes of each; one attribute is told apart.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/data/data_source.h"
#include "core/data/formats/image_source.h"

namespace ansatz {

std::vector<std::string> celeba_files();

/// img_align_celeba/*.jpg of any size and list_attr_celeba.txt. Class 0 "no <attribute>", class 1 "<attribute>". Only
/// the images that are drawn are decoded, resized to image.height x width (both needed). Where
/// list_eval_partition.txt is there, its parts 0 and 2 are train and test (part 1 is left out: validation rows are
/// split off train, as in the paper's appendix D); else the set comes in one piece. Throws ConfigError for an attribute
/// the file does not have, naming the nearest; DataError naming file and line of what is damaged. source_rows: the
/// image's place in list_attr_celeba.txt, from 0.
DataSource open_celeba(const std::filesystem::path& folder, const std::string& attribute, const ImageOptions& image,
                       const ImageReader& read_image);

/// 1 where an image of list_attr_celeba.txt has the attribute, else 0: all images, in the order of the file. Throws as
/// open_celeba; `key`, for messages: the option that names the attribute.
std::vector<Index> celeba_attribute(const std::filesystem::path& folder, const std::string& attribute,
                                    const std::string& key);

}  // namespace ansatz
