// Films: frames are piped into an ffmpeg process, which writes H.264 in an MP4 that plays everywhere.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "base/result.h"
#include "render/image.h"

namespace sinew {

struct FilmWriterOptions {
  double frames_per_second = 30;  // [1, 240]
  int quality = 18;               // x264's constant rate factor, 0 (lossless) to 51; 18 shows no loss
  // When set, ffmpeg has `patience` to read what is left and finish the film; then it is ended and the film is
  // discarded.
  const std::atomic<bool>* interrupt = nullptr;
  double patience = 10;  // [s]
};

// The film appears under its name when `finish` succeeds and not before. A missing or failing ffmpeg is an Error, here
// and in later calls; frames written as PNG files elsewhere are not affected. Ctrl-C at a terminal does not reach
// ffmpeg, so that an interrupted program can still finish its film.
class FilmWriter {
 public:
  // All frames must have this size; an odd last row or column is cropped, since the format needs even sizes.
  static Result<FilmWriter> open(const std::string& path, int width, int height, const FilmWriterOptions& options = {});

  FilmWriter(FilmWriter&&) noexcept;
  FilmWriter& operator=(FilmWriter&&) noexcept;
  ~FilmWriter();  // an unfinished film is discarded

  Status add(const Image& frame);
  Status finish();

 private:
  struct State;
  explicit FilmWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace sinew
