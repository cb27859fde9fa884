// Source: the VTK User's Guide, "XML file formats", and the base64 of RFC 4648; handwritten files.
#include "io/vtu.h"

#include <gtest/gtest.h>

#include "io/base64.h"
#include "io/build_bytes.h"
#include "io/says.h"
#include "io/two_tets.h"

namespace sinew {
namespace {

std::string fault(const std::string& bytes) {
  return tet_fault(parse_vtu, bytes, "m.vtu");
}

std::string encode_base64(const std::string& bytes) {
  const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t k = 0; k < bytes.size(); k += 3) {
    unsigned bits = 0;
    for (size_t i = 0; i < 3; ++i)
      bits = bits << 8 | (k + i < bytes.size() ? static_cast<unsigned char>(bytes[k + i]) : 0);
    for (size_t i = 0; i < 4; ++i) text += k + i > bytes.size() ? '=' : digits[bits >> (18 - 6 * i) & 63];
  }
  return text;
}

// A file around five arrays with the given content.
struct Parts {
  std::string file = "type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\"";
  std::string counts = "NumberOfPoints=\"4\" NumberOfCells=\"1\"";
  std::string points = "type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 0 0 0 1 0 0 0 1";
  std::string connectivity = "type=\"Int32\" format=\"ascii\">0 1 2 3";
  std::string offsets = "type=\"Int32\" format=\"ascii\">4";
  std::string types = "type=\"UInt8\" format=\"ascii\">10";
  std::string region = "type=\"Int32\" format=\"ascii\">8";
  std::string tail;

  std::string text() const {
    return "<?xml version=\"1.0\"?>\n<VTKFile " + file + ">\n<UnstructuredGrid>\n<Piece " + counts +
           ">\n<PointData/>\n<CellData><DataArray Name=\"region\" " + region +
           "</DataArray></CellData>\n<Points>\n<DataArray " + points +
           "</DataArray>\n</Points>\n<Cells>\n"
           "<DataArray Name=\"connectivity\" " +
           connectivity + "</DataArray>\n<DataArray Name=\"offsets\" " + offsets +
           "</DataArray>\n<DataArray Name=\"types\" " + types +
           "</DataArray>\n</Cells>\n</Piece>\n</UnstructuredGrid>\n" + tail + "</VTKFile>\n";
  }
};

// The arrays as bytes, each after its size of 4 or 8 bytes.
template <class Size>
std::string block(bool little, const Bytes& bytes) {
  return Bytes(little).add(static_cast<Size>(bytes.str().size())).str() + bytes.str();
}
Bytes points(bool little) {
  return Bytes(little).all<double>({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1});
}
Bytes corners(bool little) {
  return Bytes(little).all<int64_t>({0, 1, 2, 3});
}
Bytes ends(bool little) {
  return Bytes(little).add<int32_t>(4);
}

TEST(Base64, DecodesTheExamplesOfItsStandard) {
  EXPECT_EQ(decode_base64("Zm9vYmFy", 99), "foobar");
  EXPECT_EQ(decode_base64("Zm9vYmE=", 99), "fooba");
  EXPECT_EQ(decode_base64(" Zm9v\nYg==", 99), "foob");
  EXPECT_EQ(decode_base64("Zg==Zm9v", 99), "ffoo");  // two pieces in a row
  EXPECT_EQ(decode_base64("Zm9vYmFy", 4), "foob");
  EXPECT_EQ(decode_base64("Zm9v<x", 99), "foo");
  EXPECT_EQ(decode_base64("====Zg", 99), "");
}

TEST(Vtu, ReadsText) {
  expect_corner_tet(parse_vtu(Parts().text(), "m.vtu"), {8});
  expect_all_prefixes_survive(parse_vtu, Parts().text());
}

TEST(Vtu, ReadsInlineBase64OfBothHeaderWidthsAndEndiannesses) {
  for (const bool little : {true, false})
    for (const bool wide : {true, false}) {
      Parts parts;
      parts.file = std::string("type=\"UnstructuredGrid\" byte_order=\"") + (little ? "LittleEndian" : "BigEndian") +
                   "\"" + (wide ? " header_type=\"UInt64\"" : "");
      const auto encoded = [&](const Bytes& bytes) {
        return encode_base64(wide ? block<uint64_t>(little, bytes) : block<uint32_t>(little, bytes));
      };
      parts.points = "type=\"Float64\" format=\"binary\">\n  " + encoded(points(little)) + "\n";
      parts.connectivity = "type=\"Int64\" format=\"binary\">" + encoded(corners(little));
      parts.offsets = "type=\"Int32\" format=\"binary\">" + encoded(ends(little));
      expect_corner_tet(parse_vtu(parts.text(), "m.vtu"), {8});
      // Some writers encode the size separately.
      const std::string size = wide ? Bytes(little).add<uint64_t>(4).str() : Bytes(little).add<uint32_t>(4).str();
      parts.offsets = "type=\"Int32\" format=\"binary\">" + encode_base64(size) + encode_base64(ends(little).str());
      expect_corner_tet(parse_vtu(parts.text(), "m.vtu"), {8});
    }
}

TEST(Vtu, ReadsAppendedDataRawAndBase64) {
  for (const bool raw : {true, false}) {
    const auto stored = [&](const Bytes& bytes) {
      const std::string content = block<uint32_t>(true, bytes);
      return raw ? content : encode_base64(content);
    };
    const std::string a = stored(points(true)), b = stored(corners(true)), c = stored(ends(true));
    Parts parts;
    const auto at = [](const char* type, size_t offset) {
      return std::string("type=\"") + type + "\" format=\"appended\" offset=\"" + std::to_string(offset) + "\">";
    };
    parts.points = at("Float64", 0);
    parts.connectivity = at("Int64", a.size());
    parts.offsets = at("Int32", a.size() + b.size());
    parts.tail = std::string("<AppendedData encoding=\"") + (raw ? "raw" : "base64") + "\">\n _" + a + b + c +
                 "\n</AppendedData>\n";
    expect_corner_tet(parse_vtu(parts.text(), "m.vtu"), {8});
    expect_all_prefixes_survive(parse_vtu, parts.text());
  }
}

// The zlib format (RFC 1950, 1951) with stored content.
std::string stored_zlib(const std::string& content) {
  unsigned a = 1, b = 0;
  for (const char c : content) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  const auto size = static_cast<uint16_t>(content.size());
  Bytes packed(true);
  packed.text("\x78\x01\x01").add(size).add(static_cast<uint16_t>(~size)).text(content);
  for (const unsigned byte : {b >> 8, b & 255, a >> 8, a & 255}) packed.add(static_cast<uint8_t>(byte));
  return packed.str();
}

// Blocks of `size` bytes, the last one shorter, after their header.
std::string compressed(const std::string& content, size_t size) {
  const size_t blocks = (content.size() + size - 1) / size;
  Bytes header(true);
  header.add(static_cast<uint32_t>(blocks)).add(static_cast<uint32_t>(size));
  header.add(static_cast<uint32_t>(content.size() % size));
  std::string data;
  for (size_t at = 0; at < content.size(); at += size) {
    const std::string block = stored_zlib(content.substr(at, size));
    header.add(static_cast<uint32_t>(block.size()));
    data += block;
  }
  return encode_base64(header.str()) + encode_base64(data);
}

TEST(Vtu, ReadsCompressedBlocks) {
  Parts parts;
  parts.file += " compressor=\"vtkZLibDataCompressor\"";
  // 96 bytes in blocks of 40, 40 and 16; 32 in one whole block; 4 in one that is not.
  parts.points = "type=\"Float64\" format=\"binary\">" + compressed(points(true).str(), 40);
  parts.connectivity = "type=\"Int64\" format=\"binary\">" + compressed(corners(true).str(), 32);
  parts.offsets = "type=\"Int32\" format=\"binary\">" + compressed(ends(true).str(), 32768);
  if (fault(parts.text()).find("without zlib") != std::string::npos) GTEST_SKIP() << "built without zlib";
  expect_corner_tet(parse_vtu(parts.text(), "m.vtu"), {8});

  // The same points as compressed by zlib.
  parts.points = "type=\"Float64\" format=\"binary\">AQAAAGAAAAAAAAAAEQAAAA==eNpjYMAHPtgzUCgPAHhdA44=";
  expect_corner_tet(parse_vtu(parts.text(), "m.vtu"), {8});

  // A block that announces far more than it can hold is rejected before allocating memory.
  parts.points = "type=\"Float64\" format=\"binary\">" +
                 encode_base64(Bytes(true).all<uint32_t>({1, 4000000000u, 0, 20}).str() + std::string(20, 'x'));
  EXPECT_TRUE(says(fault(parts.text()), "do not have their announced sizes"));
}

TEST(Vtu, JoinsPieces) {
  std::string text = Parts().text();
  const size_t start = text.find("<Piece"), end = text.find("</UnstructuredGrid>");
  text.insert(end, text.substr(start, end - start));
  const MeshData data = parse_vtu(text, "m.vtu").value();
  EXPECT_EQ(data.vertices.size(), 8u);
  EXPECT_EQ(data.tets, (std::vector<Tet>{{0, 1, 2, 3}, {4, 5, 6, 7}}));
}

TEST(Vtu, GoesRoundExactly) {
  MeshData data = parse_vtu(encode_vtu(two_tets()), "m").value();
  expect_same({data.vertices, data.tets, data.regions, {}}, two_tets());
  TetMesh plain = two_tets();
  plain.regions.clear();
  data = parse_vtu(encode_vtu(plain), "m").value();
  expect_same({data.vertices, data.tets, data.regions, {}}, plain);
}

TEST(Vtu, NamesThePlaceAndTheFault) {
  EXPECT_TRUE(says(fault(""), "is empty"));
  EXPECT_TRUE(says(fault("<html></html>"), "has no element VTKFile"));
  EXPECT_TRUE(
      says(fault("<VTKFile type=\"PolyData\"><PolyData/></VTKFile>"), "holds 'PolyData', not an UnstructuredGrid"));
  EXPECT_TRUE(says(fault(Parts().text().substr(0, 200)), "m.vtu:"));
  EXPECT_TRUE(says(fault(Parts().text().substr(0, 200)), "is not well-formed XML"));
  const auto with = [](auto change) {
    Parts parts;
    change(parts);
    return fault(parts.text());
  };
  EXPECT_TRUE(says(with([](Parts& p) { p.file += " compressor=\"vtkLZ4DataCompressor\""; }),
                   "compressed with 'vtkLZ4DataCompressor'"));
  EXPECT_TRUE(says(with([](Parts& p) { p.counts = "NumberOfPoints=\"1000000000000\" NumberOfCells=\"1\""; }),
                   "m.vtu:4: announces NumberOfPoints = 1000000000000"));
  EXPECT_TRUE(says(with([](Parts& p) { p.counts = "NumberOfPoints=\"2000000000\" NumberOfCells=\"1\""; }),
                   "announces 2000000000 points and 1 cells, more than the file can hold"));
  EXPECT_TRUE(
      says(with([](Parts& p) { p.counts = "NumberOfPoints=\"x\" NumberOfCells=\"1\""; }), "NumberOfPoints is 'x'"));
  EXPECT_TRUE(says(with([](Parts& p) { p.counts = "NumberOfPoints=\"5\" NumberOfCells=\"1\""; }),
                   "m.vtu:8: 'Points': holds 12 numbers where 15 are expected"));
  EXPECT_TRUE(says(with([](Parts& p) { p.counts = "NumberOfPoints=\"4\" NumberOfCells=\"2\""; }),
                   "'offsets': holds 1 numbers where 2 are expected"));
  EXPECT_TRUE(says(with([](Parts& p) { p.points = "type=\"Float32\">0 0 0 1 0 0 0 1 0 0 0 nan"; }),
                   "vertex 3 has a coordinate that is not finite"));
  EXPECT_TRUE(
      says(with([](Parts& p) { p.connectivity = "type=\"Int32\">0 1 2 4"; }), "cell 0 names vertex 4, out of range"));
  EXPECT_TRUE(
      says(with([](Parts& p) { p.connectivity = "type=\"Int32\">0 1 2"; }), "'connectivity': holds 3 numbers where 4"));
  EXPECT_TRUE(says(with([](Parts& p) { p.connectivity = "type=\"Int32\">0 1 2 x"; }), "expected a number, found 'x'"));
  EXPECT_TRUE(says(with([](Parts& p) { p.offsets = "type=\"Int32\">-4"; }), "offsets of the cells do not rise"));
  EXPECT_TRUE(says(with([](Parts& p) { p.offsets = "type=\"Int128\" format=\"binary\">4"; }), "unknown type 'Int128'"));
  EXPECT_TRUE(says(with([](Parts& p) { p.offsets = "type=\"Int32\" format=\"appended\" offset=\"9\">"; }),
                   "offset '9' is not in the appended data"));
  EXPECT_TRUE(says(with([](Parts& p) { p.offsets = "type=\"Int32\" format=\"binary\">AAAAAQ=="; }),
                   "ends before its announced size"));
  EXPECT_TRUE(
      says(with([](Parts& p) { p.types = "type=\"UInt8\">12"; }), "no tetrahedra of 4 or 10 nodes, only 1 hexahedra"));
}

}  // namespace
}  // namespace sinew
