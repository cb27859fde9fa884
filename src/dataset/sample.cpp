#include "dataset/sample.h"

#include <array>

#include "base/format.h"
#include "base/hash.h"
#include "io/envelope.h"

namespace sinew {
namespace {

constexpr FileKind sample_kind{"SNWSAMPL", 1, "a sample"};

template <class Self>
auto lists_of(Self& sample) {
  return std::array{&sample.parameters,     &sample.energy,    &sample.residual,  &sample.relative_residual,
                    &sample.min_j,          &sample.positions, &sample.reactions, &sample.velocities,
                    &sample.rest_positions, &sample.probes};
}

bool wants(const DatasetPlan& plan, DatasetField field) {
  for (const DatasetField f : plan.fields)
    if (f == field) return true;
  return false;
}

}  // namespace

void Sample::fill(const DatasetPlan& plan, const SampleShape& shape) {
  const auto frames = static_cast<size_t>(shape.frames), numbers = 3 * static_cast<size_t>(shape.vertices);
  for (std::vector<double>* list : {&energy, &residual, &relative_residual, &min_j}) list->resize(frames);
  iterations.resize(frames);
  positions.resize(frames * numbers);
  reactions.resize(wants(plan, DatasetField::reactions) ? frames * numbers : 0);
  velocities.resize(wants(plan, DatasetField::velocities) ? frames * numbers : 0);
  rest_positions.resize(wants(plan, DatasetField::rest_positions) ? numbers : 0);
  probes.resize(wants(plan, DatasetField::probes) ? frames * 3 * static_cast<size_t>(shape.probes) : 0);
}

uint64_t Sample::checksum(bool single_precision) const {
  Hash hash;
  const int64_t numbers[] = {number, static_cast<int64_t>(status), attempts, steps};
  hash.bytes(numbers, sizeof numbers).text(reason);
  for (const std::vector<double>* list : {&parameters, &energy, &residual, &relative_residual, &min_j})
    hash.bytes(list->data(), list->size() * sizeof(double));
  hash.bytes(iterations.data(), iterations.size() * sizeof(int64_t));
  for (const std::vector<double>* list : {&positions, &reactions, &velocities, &rest_positions, &probes}) {
    if (!single_precision) {
      hash.bytes(list->data(), list->size() * sizeof(double));
      continue;
    }
    const std::vector<float> rounded(list->begin(), list->end());
    hash.bytes(rounded.data(), rounded.size() * sizeof(float));
  }
  return hash.value();
}

std::string encode_sample(const Sample& sample, uint64_t plan) {
  Packer packer;
  packer.put(plan).put(sample.number).put(static_cast<int32_t>(sample.status)).put(sample.attempts).put(sample.steps);
  packer.put_text(sample.reason).put(sample.seconds);
  packer.put<uint64_t>(sample.iterations.size());
  std::string payload = packer.take();
  payload += bytes_of(sample.iterations);
  for (const std::vector<double>* list : lists_of(sample)) {
    const uint64_t count = list->size();
    payload.append(reinterpret_cast<const char*>(&count), sizeof count);
    payload += bytes_of(*list);
  }
  const std::string_view parts[] = {payload};
  return envelope_head(sample_kind, parts) + payload;
}

Result<Sample> decode_sample(std::string_view bytes, uint64_t plan, const std::string& where) {
  const Result<std::string_view> payload =
      open_envelope(bytes, sample_kind, where, "remove it; `sinew dataset resume` makes the sample anew");
  if (!payload) return payload.error();
  Unpacker unpacker(*payload);
  Sample sample;
  uint64_t of_plan = 0, count = 0;
  int32_t status = 0;
  bool good = unpacker.take(of_plan) && unpacker.take(sample.number) && unpacker.take(status) &&
              unpacker.take(sample.attempts) && unpacker.take(sample.steps) && unpacker.take_text(sample.reason) &&
              unpacker.take(sample.seconds) && unpacker.take(count) && unpacker.take_all(sample.iterations, count);
  for (std::vector<double>* list : lists_of(sample))
    good = good && unpacker.take(count) && unpacker.take_all(*list, count);
  if (!good || !unpacker.at_end()) return Error{where, "is damaged", "remove it"};
  if (of_plan != plan) return Error{where, "belongs to another plan", "remove it"};
  sample.status = static_cast<SampleStatus>(status);
  return sample;
}

}  // namespace sinew
