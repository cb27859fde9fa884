// Source: the promises of io/records.h: values and faults are those of one thread, wherever the text is cut.
#include "io/records.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "io/gmsh.h"
#include "io/medit.h"
#include "io/tetgen.h"
#include "io/text_writer.h"
#include "io/two_tets.h"
#include "io/vtk_legacy.h"
#include "mesh/generators.h"

namespace sinew {
namespace {

// The number for which a text of some hundred thousand bytes is cut.
constexpr int most_threads = 4;

// Words and lines of every kind that scanners distinguish, before the start of any line.
TEST(Scanner, CountsTheWordsAndLinesThatItReads) {
  const std::string text = "one two\n\n  three\t4 \r\n# none\nfive#six\nse\vven\f eight" + std::string("\0nine", 5) +
                           " \x01 \xff\n#\n" + std::string(300, ' ') + std::string(200, 'x') + " y\n" +
                           std::string(400, 'z') + "\nlast";
  for (const char comment : {'\0', '#'}) {
    for (const Layout layout : {Layout::lines, Layout::free}) {
      for (size_t end = 0; end <= text.size(); ++end) {
        if (end > 0 && end < text.size() && text[end - 1] != '\n') continue;
        Scanner words(std::string_view(text).substr(0, end), "t", Layout::free, comment), lines = words;
        int64_t word_count = 0, line_count = 0;
        while (!words.word().empty()) ++word_count;
        for (; lines.skip_space(); lines.skip_line()) ++line_count;
        const Scanner scanner(text, "t", layout, comment);
        EXPECT_EQ(scanner.words_before(end), word_count) << end;
        EXPECT_EQ(scanner.lines_before(end), line_count) << end;
      }
    }
  }
}

// Numbers 0, 1, 2, ... in records of `words`, `per_line` numbers per line, with empty lines and comments between.
std::string counting(int64_t numbers, int64_t per_line) {
  std::string text;
  for (int64_t k = 0; k < numbers; ++k) {
    text += std::to_string(k);
    text += (k + 1) % per_line == 0 ? '\n' : ' ';
    if (k % 1000 == 999) text += "# 1 2 3\n\n  \n";
  }
  return text + "behind";
}

// Records of every size, wherever lines end: also all of them on one line, which one thread reads.
TEST(Records, HaveTheirNumbersWhereverLinesEnd) {
  constexpr int64_t count = 30000;
  for (const int64_t words : {1, 2, 3, 5, 7}) {
    for (const int64_t per_line : {int64_t{1}, words, 2 * words + 1, count * words}) {
      const std::string text = counting(count * words, per_line);
      for (int threads = 1; threads <= most_threads; ++threads) {
        ThreadPool pool(threads);
        Scanner scanner(text, "t", Layout::free, '#');
        std::vector<int64_t> read(count, -1);
        const Status status = read_records(pool, scanner, count, words, [&](Scanner& s, int64_t k) -> Status {
          int64_t value;
          for (int64_t w = 0; w < words; ++w)
            if (!s.whole(value) || value != k * words + w) return s.expected(std::to_string(k * words + w));
          read[static_cast<size_t>(k)] = k;
          return {};
        });
        EXPECT_TRUE(status.ok()) << status.error().message();
        for (int64_t k = 0; k < count; ++k) ASSERT_EQ(read[static_cast<size_t>(k)], k);
        EXPECT_EQ(scanner.word(), "behind");
      }
    }
  }
}

// Lines with half a record or two are not records, and are detected wherever they begin.
TEST(Records, OfALineAreReadWhereverLinesEnd) {
  constexpr int64_t count = 30000;
  for (const int64_t broken : {count, int64_t{0}, int64_t{7001}, count - 1}) {
    for (const char* between : {"\n", " ", "\n\n"}) {
      std::string text;
      for (int64_t k = 0; k < count; ++k)
        text += std::to_string(k) + (k < broken ? " " : between) + std::to_string(k) + (k == broken + 3 ? " " : "\n");
      text += "behind";
      for (int threads = 1; threads <= most_threads; ++threads) {
        ThreadPool pool(threads);
        Scanner scanner(text, "t", Layout::free);
        std::vector<int64_t> read(count, -1);
        const Status status = read_records(pool, scanner, count, one_line, [&](Scanner& s, int64_t k) -> Status {
          int64_t a = -1, b = -1;
          if (!s.whole(a) || !s.whole(b)) return s.expected("a number");
          read[static_cast<size_t>(k)] = a + b;
          return {};
        });
        EXPECT_TRUE(status.ok()) << status.error().message();
        for (int64_t k = 0; k < count; ++k) ASSERT_EQ(read[static_cast<size_t>(k)], 2 * k) << broken << between;
        EXPECT_EQ(scanner.word(), "behind");
      }
    }
  }
}

// Texts too short to be shared are read by the calling thread.
TEST(Records, OfAShortTextStayWithTheCaller) {
  const std::string text = counting(1000, 4);
  ThreadPool pool(most_threads);
  Scanner scanner(text, "t", Layout::free, '#');
  int calls = 0;
  ASSERT_TRUE(read_record_ranges(pool, scanner, 250, 4, [&](Scanner&, int64_t first, int64_t last) -> Status {
                ++calls;
                EXPECT_EQ(last - first, 250);
                return {};
              }).ok());
  EXPECT_EQ(calls, 1);
}

// A box of some thousand tets, with only long numbers.
TetMesh crooked_box() {
  TetMesh mesh = make_box({.cells = {14, 14, 14}, .size = {1, 1.1, 1.3}}).value();
  for (Vec3d& x : mesh.vertices) x += 1e-3 * Vec3d{std::sin(9 * x.y), std::sin(9 * x.z), std::sin(9 * x.x)};
  for (size_t t = 0; t < mesh.tets.size(); ++t) mesh.regions.push_back(static_cast<int32_t>(t % 3));
  return mesh;
}

std::string gmsh_4(const TetMesh& mesh) {
  TextWriter out;
  const size_t vertices = mesh.vertices.size(), tets = mesh.tets.size();
  out.line("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 3");
  for (int region = 0; region < 3; ++region) out.line(region + 1, "0 0 0 1 1 1 1", region, 0);
  out.line("$EndEntities\n$Nodes");
  out.line(1, vertices, 1, vertices);
  out.line(3, 1, 0, vertices);
  for (size_t v = 0; v < vertices; ++v) out.line(v + 1);
  for (const Vec3d& x : mesh.vertices) out.line(x.x, x.y, x.z);
  out.line("$EndNodes\n$Elements");
  out.line(1, tets, 1, tets);
  out.line(3, 3, 4, tets);
  for (size_t t = 0; t < tets; ++t)
    out.line(t + 1, mesh.tets[t][0] + 1, mesh.tets[t][1] + 1, mesh.tets[t][2] + 1, mesh.tets[t][3] + 1);
  out.line("$EndElements");
  return out.take();
}

// Version 5.1: offsets and connectivity, nine numbers per line.
std::string vtk_5(const TetMesh& mesh) {
  TextWriter out;
  out.line("# vtk DataFile Version 5.1\nt\nASCII\nDATASET UNSTRUCTURED_GRID");
  out.line("POINTS", mesh.vertices.size(), "double");
  for (const Vec3d& x : mesh.vertices) out.line(x.x, x.y, x.z);
  std::string text = out.take();
  const size_t tets = mesh.tets.size();
  text += "CELLS " + std::to_string(tets + 1) + " " + std::to_string(4 * tets) + "\nOFFSETS vtktypeint64";
  for (size_t t = 0; t <= tets; ++t) text += (t % 9 == 0 ? '\n' : ' ') + std::to_string(4 * t);
  text += "\nCONNECTIVITY vtktypeint64";
  for (size_t k = 0; k < 4 * tets; ++k) text += (k % 9 == 0 ? '\n' : ' ') + std::to_string(mesh.tets[k / 4][k % 4]);
  text += "\nCELL_TYPES " + std::to_string(tets) + "\n";
  for (size_t t = 0; t < tets; ++t) text += "10\n";
  return text;
}

struct TextFormat {
  const char* name;
  std::function<Result<MeshData>(const std::string&, ThreadPool&)> parse;
  std::string text;
};

std::vector<TextFormat> formats() {
  const TetMesh mesh = crooked_box();
  const std::string node = encode_tetgen_node(mesh), ele = encode_tetgen_ele(mesh);
  const auto medit = [](const std::string& text, ThreadPool& pool) { return parse_medit(text, "m", pool); };
  const auto gmsh = [](const std::string& text, ThreadPool& pool) { return parse_gmsh(text, "m", pool); };
  const auto vtk = [](const std::string& text, ThreadPool& pool) { return parse_vtk_legacy(text, "m", pool); };
  return {
      {"node", [ele](const std::string& text, ThreadPool& pool) { return parse_tetgen(text, "n", ele, "e", pool); },
       node},
      {"ele", [node](const std::string& text, ThreadPool& pool) { return parse_tetgen(node, "n", text, "e", pool); },
       ele},
      {"Medit", medit, encode_medit(mesh)},
      {"Gmsh 2.2", gmsh, encode_gmsh(mesh)},
      {"Gmsh 4.1", gmsh, gmsh_4(mesh)},
      {"VTK 3.0", vtk, encode_vtk_legacy(mesh)},
      {"VTK 5.1", vtk, vtk_5(mesh)},
  };
}

TEST(LargeTextMeshes, AreTheSameForAnyNumberOfThreads) {
  for (const TextFormat& format : formats()) {
    TetMesh expected = crooked_box();
    if (format.name == std::string("VTK 5.1")) expected.regions.clear();
    if (format.name == std::string("Gmsh 4.1")) expected.regions.assign(expected.tets.size(), 2);
    EXPECT_GT(format.text.size(), 60000u) << "long enough to be cut";
    for (int threads = 1; threads <= most_threads; ++threads) {
      ThreadPool pool(threads);
      Result<MeshData> data = format.parse(format.text, pool);
      ASSERT_TRUE(data.ok()) << format.name << ": " << data.error().message();
      SCOPED_TRACE(format.name);
      expect_same(take_tets(std::move(*data), "m").value(), expected);
    }
  }
}

// Damage in many places, and in two at once: the message is that of one thread, which the tests of each format check.
TEST(LargeTextMeshes, HaveTheSameFaultsForAnyNumberOfThreads) {
  for (const TextFormat& format : formats()) {
    std::vector<std::string> damaged;
    const size_t size = format.text.size();
    for (int place = 1; place < 8; ++place) {
      const size_t at = size * static_cast<size_t>(place) / 8, later = (at + size) / 2;
      const auto with = [&](size_t offset, std::string_view piece) {
        std::string text = format.text;
        return text.replace(offset, piece.size(), piece);
      };
      damaged.push_back(with(at, "x"));
      damaged.push_back(with(at, " 123456789 "));
      damaged.push_back(with(at, "1e999"));
      damaged.push_back(with(at, "\n\n-7\n"));
      damaged.push_back(with(at, "# "));
      damaged.push_back(with(later, "nan").replace(at, 3, "   "));
      damaged.push_back(format.text.substr(0, at));
      damaged.push_back(format.text.substr(0, at) + " 5 " + format.text.substr(at));
      damaged.push_back(format.text.substr(0, at) + format.text.substr(at + 20));
    }
    size_t refused = 0;
    for (const std::string& text : damaged) {
      ThreadPool one(1);
      Result<MeshData> expected = format.parse(text, one);
      refused += !expected;
      for (int threads = 2; threads <= most_threads; ++threads) {
        ThreadPool pool(threads);
        Result<MeshData> data = format.parse(text, pool);
        ASSERT_EQ(data.ok(), expected.ok()) << format.name;
        if (!data) {
          EXPECT_EQ(data.error().message(), expected.error().message()) << format.name;
        } else {
          EXPECT_EQ(data->tets, expected->tets) << format.name;
        }
      }
    }
    EXPECT_GT(refused, damaged.size() / 2) << format.name << ": they are faults";
  }
}

}  // namespace
}  // namespace sinew
