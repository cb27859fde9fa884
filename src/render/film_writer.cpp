#include "render/film_writer.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/format.h"
#include "base/picture_size.h"
#include "files/child_process.h"
#include "files/unfinished_file.h"

namespace sinew {
namespace {

// Writing to a process that has ended raises SIGPIPE, which would end ours. It is blocked in this thread during the
// write, and consumed if it was raised.
class QuietPipe {
 public:
  QuietPipe() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~QuietPipe() {
    const timespec now{0, 0};
    if (!was_pending_)
      while (sigtimedwait(&pipe_, nullptr, &now) < 0 && errno == EINTR) {
      }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  QuietPipe(const QuietPipe&) = delete;
  QuietPipe& operator=(const QuietPipe&) = delete;

 private:
  sigset_t pipe_, before_;
  bool was_pending_;
};

// The last line of a program's error output.
std::string last_line(std::FILE* file) {
  if (!file) return "";
  std::fseek(file, 0, SEEK_END);
  const long size = std::ftell(file);
  std::fseek(file, std::max(0L, size - 2000), SEEK_SET);
  char text[2001];
  std::string all(text, std::fread(text, 1, 2000, file));
  while (!all.empty() && (all.back() == '\n' || all.back() == '\r')) all.pop_back();
  return all.substr(all.rfind('\n') + 1);
}

constexpr std::chrono::milliseconds between_looks{20};
constexpr const char* hangs = "ffmpeg hangs, and was ended after the request to stop";

}  // namespace

struct FilmWriter::State {
  State(std::string name, UnfinishedFile unfinished) : path(std::move(name)), file(std::move(unfinished)) {}

  std::string path;
  UnfinishedFile file;
  int width = 0, height = 0;
  Child process;
  int pipe = -1;
  NamelessFile complaints;
  bool failed = false;
  const std::atomic<bool>* interrupt = nullptr;
  double patience = 0;                                               // [s]
  std::optional<std::chrono::steady_clock::time_point> interrupted;  // when it was first noticed

  // Whether ffmpeg has not ended within the patience after an interrupt.
  bool out_of_patience() {
    if (!interrupt || !interrupt->load()) return false;
    const auto now = std::chrono::steady_clock::now();
    if (!interrupted) interrupted = now;
    return std::chrono::duration<double>(now - *interrupted).count() > patience;
  }

  // Waits for its end after closing its input; nullopt: it did not end.
  std::optional<ChildEnd> await_end() {
    close_pipe();
    while (!out_of_patience())
      if (std::optional<ChildEnd> end = process.wait(between_looks)) return end;
    return std::nullopt;
  }

  void close_pipe() {
    if (pipe >= 0) ::close(pipe);
    pipe = -1;
  }

  Error fail(const std::string& what) {
    close_pipe();
    process.kill();
    failed = true;
    file.discard();
    const std::string reason = last_line(complaints.get());
    return {path, reason.empty() ? what : what + ": " + reason, "the frames already written as pictures remain"};
  }

  ~State() { close_pipe(); }
};

FilmWriter::FilmWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
FilmWriter::FilmWriter(FilmWriter&&) noexcept = default;
FilmWriter& FilmWriter::operator=(FilmWriter&&) noexcept = default;
FilmWriter::~FilmWriter() = default;

Result<FilmWriter> FilmWriter::open(const std::string& path, int width, int height, const FilmWriterOptions& options) {
  if (const std::string size = size_fault(width, height); !size.empty())
    return Error{path, format("a film of %d x %d: %s", width, height, size.c_str()), ""};
  if (!(options.frames_per_second >= 1 && options.frames_per_second <= 240))
    return Error{path, format("frames_per_second = %g: must be in [1, 240]", options.frames_per_second), ""};
  if (options.quality < 0 || options.quality > 51)
    return Error{path, format("quality = %d: must be in [0, 51]", options.quality), ""};

  // ffmpeg would report an unwritable folder only with the first frame.
  Result<UnfinishedFile> file = UnfinishedFile::create(path);
  if (!file) return file.error();
  auto state = std::make_unique<State>(path, std::move(*file));
  state->width = width;
  state->height = height;
  state->interrupt = options.interrupt;
  state->patience = options.patience;
  state->complaints = make_nameless();
  const int nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  int ends[2];
  if (!state->complaints || nothing < 0 || pipe2(ends, O_CLOEXEC) != 0) {
    const int reason = errno;
    if (nothing >= 0) ::close(nothing);
    return Error{path, std::string("no pipe to ffmpeg: ") + std::strerror(reason), ""};
  }

  // A name like "-x.mp4" must not read as an option.
  const std::string output = "file:" + state->file.path().string();
  const std::vector<std::string> words = {
      "ffmpeg", "-hide_banner", "-nostats", "-loglevel", "error", "-y",
      // input
      "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", format("%dx%d", width, height), "-framerate",
      format("%.9g", options.frames_per_second), "-i", "pipe:0",
      // colours by the standard that players assume, sides even
      "-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2:0:0,scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd",
      "-c:v", "libx264", "-preset", "medium", "-crf", format("%d", options.quality), "-pix_fmt", "yuv420p",
      "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv", "-movflags",
      "+faststart", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-f", "mp4", output};
  const int reason = state->process.start(words, ends[0], nothing, fileno(state->complaints.get()));
  ::close(ends[0]);
  ::close(nothing);
  state->pipe = ends[1];
  if (reason != 0)
    return Error{path, std::string("the program ffmpeg cannot be run: ") + std::strerror(reason),
                 "install the package ffmpeg and render again; the pictures are kept"};
  // If it stops reading, we must not block.
  ::fcntl(state->pipe, F_SETFL, ::fcntl(state->pipe, F_GETFL) | O_NONBLOCK);
  return FilmWriter(std::move(state));
}

Status FilmWriter::add(const Image& frame) {
  State& s = *state_;
  if (s.failed || s.pipe < 0) return Error{s.path, "the film is closed or has failed before", ""};
  if (frame.width != s.width || frame.height != s.height ||
      frame.rgb.size() != 3 * static_cast<size_t>(s.width) * s.height)
    return Error{s.path,
                 format("a frame of %d x %d in a film of %d x %d", frame.width, frame.height, s.width, s.height), ""};
  const QuietPipe quiet;
  const uint8_t* data = frame.rgb.data();
  for (size_t left = frame.rgb.size(); left > 0;) {
    const ssize_t written = write(s.pipe, data, left);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      if (s.out_of_patience()) return s.fail(hangs);
      pollfd room{s.pipe, POLLOUT, 0};
      ::poll(&room, 1, static_cast<int>(between_looks.count()));
      continue;
    }
    if (written < 0) {
      const int reason = errno;
      if (reason != EPIPE) return s.fail(std::string("no frame reaches ffmpeg: ") + std::strerror(reason));
      // It has ended by itself; wait for its message.
      return s.fail(s.await_end() ? "ffmpeg has failed" : hangs);
    }
    data += written;
    left -= static_cast<size_t>(written);
  }
  return {};
}

Status FilmWriter::finish() {
  State& s = *state_;
  if (s.failed || s.pipe < 0) return Error{s.path, "the film is closed or has failed before", ""};
  const std::optional<ChildEnd> end = s.await_end();
  if (!end) return s.fail(hangs);
  if (end->exit_code != 0) return s.fail("ffmpeg has failed");
  struct stat written {};
  if (::stat(s.file.path().c_str(), &written) != 0 || written.st_size == 0) return s.fail("ffmpeg wrote nothing");
  if (const int reason = s.file.put_in_place(); reason != 0)
    return s.fail(std::string("cannot be put in its place: ") + std::strerror(reason));
  return {};
}

}  // namespace sinew
