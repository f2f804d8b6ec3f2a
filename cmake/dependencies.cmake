# Every dependency of core and rfm, once. (LibTorch is found in nets/, OpenCV in viz/, CLI11 in experiments/.)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)       # matrices
find_package(ZLIB REQUIRED)                       # .gz data, .npz
find_library(ANSATZ_MATIO matio REQUIRED)         # .mat data, of which version 7.3 is HDF5
find_library(ANSATZ_HDF5 NAMES hdf5_serial hdf5 REQUIRED)
find_path(ANSATZ_HDF5_INCLUDE hdf5.h PATH_SUFFIXES hdf5/serial REQUIRED)
find_library(ANSATZ_UTF8PROC utf8proc REQUIRED)   # what a letter is
find_package(nlohmann_json 3.7 REQUIRED)          # metrics.json
find_package(yaml-cpp REQUIRED)                   # configs
find_package(spdlog REQUIRED)                     # log lines
if(ANSATZ_FUZZ)  # readers compute nothing
  return()
endif()
set(BLA_VENDOR OpenBLAS)
find_package(BLAS REQUIRED)                       # products
find_package(OpenMP REQUIRED COMPONENTS CXX)      # the one thread pool, shared with OpenBLAS and LibTorch
find_library(ANSATZ_LAPACKE lapacke REQUIRED)     # factorisations
find_path(ANSATZ_SPECTRA_INCLUDE Spectra/SymEigsSolver.h REQUIRED)  # Lanczos
