// Data sets in a build without HDF5 or Boost.
#include "sinew/dataset.h"

namespace sinew {
namespace {

Error not_built() {
  return {"data sets", "need HDF5 and Boost, and this program was built without them",
          "install libhdf5-dev and libboost-dev and build again"};
}

}  // namespace

Result<DatasetPlan> read_dataset_plan(const std::filesystem::path&, std::span<const std::string>) {
  return not_built();
}
Result<DatasetPlan> parse_dataset_plan(std::string_view, const std::string&, const std::string&,
                                       std::span<const std::string>) {
  return not_built();
}
std::vector<double> dataset_parameters(const DatasetPlan&) {
  return {};
}
Result<DatasetOutcome> make_dataset(const DatasetPlan&, const DatasetOptions&, const Listener<DatasetProgress>&) {
  return not_built();
}
Result<DatasetOutcome> resume_dataset(const DatasetOptions&, const Listener<DatasetProgress>&) {
  return not_built();
}
Result<DatasetState> dataset_state(const std::filesystem::path&) {
  return not_built();
}
Status merge_dataset(const std::filesystem::path&) {
  return not_built();
}
Result<DatasetVerdict> verify_dataset(const std::filesystem::path&, const VerifyOptions&, const Listener<Progress>&) {
  return not_built();
}
Result<SlurmJob> submit_dataset(const DatasetPlan&, const std::filesystem::path&, const SlurmOptions&) {
  return not_built();
}

}  // namespace sinew
