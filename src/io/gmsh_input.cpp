#include "io/gmsh_input.h"

#include "base/format.h"

namespace sinew {

Status GmshInput::header() {
  std::string section;
  if (!scanner_.skip_space()) return Error{std::string(name_), "is empty", "save it again"};
  while (next_section(section) && section != "MeshFormat")
    if (Status status = skip_section(section); !status) return status;
  if (section != "MeshFormat")
    return scanner_.expected("$MeshFormat", "only Gmsh's MSH format is read under this suffix");

  scanner_.skip_space();
  const size_t at = scanner_.offset();
  int64_t file_type, data_size;
  if (!scanner_.real(version_)) return scanner_.expected("the version of the format");
  if (!scanner_.whole(file_type) || (file_type != 0 && file_type != 1))
    return scanner_.expected("the file type, 0 (text) or 1 (binary)");
  if (!scanner_.whole(data_size)) return scanner_.expected("the data size");
  const bool known = (version_ >= 2 && version_ < 3) || version_ == 4.1;
  if (!known)
    return scanner_.fault_at(at, format("has MSH version %g; 2.x and 4.1 are read", version_),
                             "save it anew: gmsh -save -format msh41 (or msh22)");
  if (data_size != 8)
    return scanner_.fault_at(at, format("has numbers of %lld bytes", static_cast<long long>(data_size)),
                             "save it with 8-byte numbers");

  // Binary files have the integer 1 here, which shows the byte order.
  scanner_.skip_line();
  if (file_type == 1) {
    int32_t one;
    cursor_ = ByteCursor(bytes_, name_, scanner_.offset(), false);
    if (!cursor_.get(one)) return cursor_.ends("the integer 1");
    swap_ = one == 0x01000000;
    if (one != 1 && !swap_)
      return Error{cursor_.place(scanner_.offset()), format("expected the integer 1, found %d", one),
                   "the file may have been changed by a transfer in text mode"};
    binary_ = true;
    move_to(cursor_.offset());
  }
  return end_section("MeshFormat");
}

bool GmshInput::next_section(std::string& section) {
  scanner_.seek(offset());
  // Anything between two sections is a comment.
  while (scanner_.skip_space()) {
    const std::string_view word = scanner_.peek_word();
    if (word[0] == '$' && word.size() > 1) {
      section = word.substr(1);
      scanner_.word();
      scanner_.skip_line();
      move_to(scanner_.offset());
      return true;
    }
    scanner_.skip_line();
  }
  move_to(bytes_.size());
  return false;
}

Status GmshInput::end_section(const std::string& section) {
  scanner_.seek(offset());
  if (scanner_.peek_word() != "$End" + section)
    return scanner_.expected("$End" + section, "the count of the section may be wrong");
  scanner_.word();
  move_to(scanner_.offset());
  return {};
}

Status GmshInput::skip_section(const std::string& section) {
  const std::string end = "$End" + section;
  const size_t at = bytes_.find(end, offset());
  if (at == std::string_view::npos)
    return Error{std::string(name_), "the section " + in_quotes("$" + section) + " has no end",
                 "the file may be truncated"};
  move_to(at + end.size());
  return {};
}

Status GmshInput::physical_names(std::vector<PhysicalName>& names) {
  scanner_.seek(offset());
  int64_t count;
  if (!scanner_.whole(count)) return scanner_.expected("the count of physical names");
  constexpr int64_t least = 7;  // bytes of one: 0 1 "a"
  if (!scanner_.can_hold(count, least)) return scanner_.too_many("physical names", count, scanner_.offset());
  for (int64_t k = 0; k < count; ++k) {
    PhysicalName one;
    if (!scanner_.whole(one.dimension)) return scanner_.expected("the dimension of a physical group");
    if (!scanner_.whole(one.tag)) return scanner_.expected("the tag of a physical group");
    scanner_.skip_blanks();
    const size_t at = scanner_.offset();
    const std::string_view text = scanner_.rest_of_line();
    if (text.size() < 2 || text.front() != '"' || text.back() != '"')
      return scanner_.fault_at(at, "expected the name of a physical group in quotes, found " + in_quotes(text),
                               "save the file again");
    one.name = text.substr(1, text.size() - 2);
    // It is used in messages and tables.
    for (char& c : one.name)
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
    names.push_back(std::move(one));
  }
  move_to(scanner_.offset());
  return {};
}

bool GmshInput::text_count(int64_t& count) {
  scanner_.seek(offset());
  if (!scanner_.whole(count)) return false;
  if (binary_) scanner_.skip_line();
  move_to(scanner_.offset());
  return true;
}

Error GmshInput::too_many(const char* items, int64_t count, size_t at) const {
  return fault_at(
      at,
      format("announces %lld %s, but only %zu bytes follow", static_cast<long long>(count), items, bytes_.size() - at),
      "the file may be truncated or its header damaged");
}

void GmshInput::move_to(size_t offset) {
  scanner_.seek(offset);
  cursor_ = ByteCursor(bytes_, name_, offset, swap_);
}

}  // namespace sinew
