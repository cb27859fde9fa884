// Source: NumPy's format description (NEP 1); the byte strings were written by numpy 1.24.
#include "io/npy.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

using namespace std::string_literals;
// The 118 characters of a dictionary as numpy pads them.
std::string npy(const std::string& dictionary, const std::string& data) {
  return "\x93NUMPY\x01\x00v\x00"s + dictionary + std::string(117 - dictionary.size(), ' ') + "\n" + data;
}
std::string little(const std::string& type, const std::string& shape) {
  return "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
}
std::string fault(const std::string& bytes) {
  const Result<NpyArray> array = parse_npy(bytes, "a.npy");
  return array ? "read" : array.error().message();
}

TEST(Npy, ReadsWhatNumpyWrote) {
  const NpyArray doubles =
      parse_npy(npy(little("<f8", "(2, 3)"),
                    "\x00\x00\x00\x00\x00\x00\xf0?\x00\x00\x00\x00\x00\x00\x00@\x00\x00\x00\x00\x00\x00\x08@\x00\x00"
                    "\x00\x00\x00\x00\x10@\x00\x00\x00\x00\x00\x00\x14@\x00\x00\x00\x00\x00\x00\x1a@"s),
                "a")
          .value();
  EXPECT_EQ(doubles.rows, 2u);
  EXPECT_EQ(doubles.columns, 3u);
  EXPECT_EQ(std::get<std::vector<double>>(doubles.values), (std::vector<double>{1, 2, 3, 4, 5, 6.5}));

  const NpyArray ints = parse_npy(npy(little("<i4", "(2,)"), "\x01\x00\x00\x00\xfe\xff\xff\xff"s), "a").value();
  EXPECT_EQ(ints.rows, 2u);
  EXPECT_EQ(ints.columns, 1u);
  EXPECT_EQ(std::get<std::vector<int32_t>>(ints.values), (std::vector<int32_t>{1, -2}));
}

TEST(Npy, TurnsFortranOrderAndBigEndian) {
  const NpyArray floats = parse_npy(npy("{'descr': '>f4', 'fortran_order': True, 'shape': (2, 3), }",
                                        "?\x80\x00\x00@\x80\x00\x00@\x00\x00\x00@\xa0\x00\x00@@\x00\x00@\xc0\x00\x00"s),
                                    "a")
                              .value();
  EXPECT_EQ(floats.as_doubles(), (std::vector<double>{1, 2, 3, 4, 5, 6}));
}

TEST(Npy, NarrowsLongIntegersThatFit) {
  const std::string three = "\x07\x00\x00\x00\x00\x00\x00\x00"s;
  EXPECT_EQ(parse_npy(npy(little("<i8", "(1,)"), three), "a")->as_doubles(), std::vector<double>{7});
  const std::string large = "\x00\x00\x00\x00\x01\x00\x00\x00"s;
  EXPECT_NE(fault(npy(little("<i8", "(1,)"), large)).find("does not fit into 32 bits"), std::string::npos);
}

TEST(Npy, GoesRound) {
  const std::vector<double> values{0.1, -2, 1e300, 4, 5, 6};
  const NpyArray array = parse_npy(encode_npy(values, 2), "a").value();
  EXPECT_EQ(array.rows, 3u);
  EXPECT_EQ(array.columns, 2u);
  EXPECT_EQ(array.as_doubles(), values);

  const std::vector<float> floats{1.5f, 2.5f};
  EXPECT_EQ(std::get<std::vector<float>>(parse_npy(encode_npy(floats), "a")->values), floats);
  const std::vector<int32_t> ints{1, -5, 7};
  EXPECT_EQ(std::get<std::vector<int32_t>>(parse_npy(encode_npy(ints), "a")->values), ints);
  EXPECT_EQ(encode_npy(ints).size() % 64, 12u);  // the header fills whole blocks of 64 bytes
  EXPECT_EQ(parse_npy(encode_npy(std::vector<double>{}), "a")->size(), 0u);
}

TEST(Npy, SaysWhatIsWrong) {
  EXPECT_NE(fault("").find("empty"), std::string::npos);
  EXPECT_NE(fault("# a text").find("not a .npy file"), std::string::npos);
  EXPECT_NE(fault("\x93NUMPY\x01"s).find("within its header"), std::string::npos);
  EXPECT_NE(fault("\x93NUMPY\x01\x00\xff\x7f{"s).find("within its header"), std::string::npos);
  EXPECT_NE(fault("\x93NUMPY\x09\x00\xff\x7f{}"s).find("version 9"), std::string::npos);
  EXPECT_NE(fault(npy(little("<f8", "(2,)"), "12345678")).find("announces 2 x 1 values"), std::string::npos);
  EXPECT_NE(fault(npy(little("<f8", "(1,)"), "123456789")).find("9 bytes follow"), std::string::npos);
  EXPECT_NE(fault(npy(little("<f8", "(4294967296, 4294967296)"), "")).find("announces"), std::string::npos);
  EXPECT_NE(fault(npy(little("<f8", "(1, 1, 1)"), "12345678")).find("3 dimensions"), std::string::npos);
  EXPECT_NE(fault(npy(little("<c16", "(1,)"), "12345678")).find("'<c16'"), std::string::npos);
  EXPECT_NE(fault(npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }", "")).find("element type"),
            std::string::npos);
  EXPECT_EQ(fault(npy(little("<f8", "(1000000000000000000, 0)"), "")), "read");
}

}  // namespace
}  // namespace sinew
