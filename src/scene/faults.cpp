#include "scene/faults.h"

#include "base/format.h"

namespace sinew {

namespace {
constexpr size_t kMostShown = 20;

// Names come from users: a control character must neither end a message nor reach a terminal.
std::string printable(const std::string& text) {
  std::string shown;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20 || code == 0x7f)
      shown += format("\\u%04x", code);
    else
      shown += c;
  }
  return shown;
}

bool is_under(const std::string& path, const std::string& root) {
  return path.starts_with(root) && (path.size() == root.size() || path[root.size()] == '.');
}
}  // namespace

void Faults::add(const std::string& path, const std::string& what, const std::string& remedy) {
  ++count_;
  if (faults_.size() >= kMostShown) return;
  paths_.insert(path);
  std::string origin;
  for (const std::string& root : overridden_)
    if (is_under(path, root)) origin = " (by --set)";
  faults_.push_back({printable(path + origin + what), printable(remedy)});
}

Error Faults::error(const std::string& source) const {
  if (count_ == 1) return {source, faults_[0].line, faults_[0].remedy};
  std::string text = format("%zu faults", count_);
  for (const Fault& fault : faults_) text += "\n  " + fault.line + (fault.remedy.empty() ? "" : "; " + fault.remedy);
  if (count_ > faults_.size()) text += format("\n  and %zu more", count_ - faults_.size());
  return {source, text, ""};
}

}  // namespace sinew
