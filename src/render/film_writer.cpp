#include "render/film_writer.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <vector>

#include "base/format.h"
#include "render/picture_size.h"

extern char** environ;

namespace sinew {
namespace {

// Writing to a process that has ended raises a signal that ends ours. It is held back in this thread for the time of
// the write, and taken off again if it came.
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

// The last line that a program complained with.
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

}  // namespace

struct FilmWriter::State {
  std::string path, temporary;
  int width = 0, height = 0;
  pid_t process = -1;
  int pipe = -1;
  std::FILE* complaints = nullptr;
  bool failed = false;

  // Ends the process one way or another and says how it went.
  bool close(bool kill_it) {
    if (pipe >= 0) ::close(pipe);
    pipe = -1;
    if (process < 0) return false;
    if (kill_it) kill(process, SIGKILL);
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    process = -1;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

  Error fail(const std::string& what) {
    close(true);
    failed = true;
    std::remove(temporary.c_str());
    const std::string reason = last_line(complaints);
    return {path, reason.empty() ? what : what + ": " + reason, "the frames already written as pictures remain"};
  }

  ~State() {
    if (process >= 0) {
      close(true);
      std::remove(temporary.c_str());
    }
    if (complaints) std::fclose(complaints);
  }
};

FilmWriter::FilmWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
FilmWriter::FilmWriter(FilmWriter&&) noexcept = default;
FilmWriter& FilmWriter::operator=(FilmWriter&&) noexcept = default;
FilmWriter::~FilmWriter() = default;

Result<FilmWriter> FilmWriter::open(const std::string& path, int width, int height, const FilmOptions& options) {
  if (const std::string size = size_fault(width, height); !size.empty())
    return Error{path, format("a film of %d x %d: %s", width, height, size.c_str()), ""};
  if (!(options.frames_per_second >= 1 && options.frames_per_second <= 240))
    return Error{path, format("frames_per_second = %g: must be in [1, 240]", options.frames_per_second), ""};
  if (options.quality < 0 || options.quality > 51)
    return Error{path, format("quality = %d: must be in [0, 51]", options.quality), ""};

  auto state = std::make_unique<State>();
  state->path = path;
  // Named as other unfinished files, so that a killed run's is cleared away with them.
  const std::filesystem::path target(path);
  state->temporary =
      (target.parent_path() / format(".%s.%d.partial", target.filename().c_str(), static_cast<int>(getpid()))).string();
  state->width = width;
  state->height = height;
  // ffmpeg would report an unwritable folder only with the first frame.
  const int probe = ::open(state->temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (probe < 0) return Error{path, std::string("cannot be written: ") + std::strerror(errno), ""};
  ::close(probe);

  state->complaints = std::tmpfile();
  int ends[2];
  if (!state->complaints || pipe2(ends, O_CLOEXEC) != 0) {
    const int reason = errno;
    std::remove(state->temporary.c_str());
    return Error{path, std::string("no pipe to ffmpeg: ") + std::strerror(reason), ""};
  }

  // A name like "-x.mp4" must not read as an option.
  const std::string output = "file:" + state->temporary;
  std::vector<std::string> words = {
      "ffmpeg", "-hide_banner", "-nostats", "-loglevel", "error", "-y",
      // what comes in
      "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", format("%dx%d", width, height), "-framerate",
      format("%.9g", options.frames_per_second), "-i", "pipe:0",
      // colours by the standard that players assume, sides even
      "-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2:0:0,scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd",
      "-c:v", "libx264", "-preset", "medium", "-crf", format("%d", options.quality), "-pix_fmt", "yuv420p",
      "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv", "-movflags",
      "+faststart", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-f", "mp4", output};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&files, fileno(state->complaints), STDERR_FILENO);
  // A process group of its own keeps it out of reach of Ctrl-C; signals are as a program expects them.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  const int reason = posix_spawnp(&state->process, "ffmpeg", &files, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  ::close(ends[0]);
  if (reason != 0) {
    ::close(ends[1]);
    state->process = -1;
    std::remove(state->temporary.c_str());
    return Error{path, std::string("the program ffmpeg cannot be run: ") + std::strerror(reason),
                 "install the package ffmpeg and render again; the pictures are kept"};
  }
  state->pipe = ends[1];
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
    if (written < 0) {
      const int reason = errno;
      if (reason != EPIPE) return s.fail(std::string("no frame reaches ffmpeg: ") + std::strerror(reason));
      s.close(false);  // it has ended by itself; wait for what it has to say
      return s.fail("ffmpeg has failed");
    }
    data += written;
    left -= static_cast<size_t>(written);
  }
  return {};
}

Status FilmWriter::finish() {
  State& s = *state_;
  if (s.failed || s.pipe < 0) return Error{s.path, "the film is closed or has failed before", ""};
  if (!s.close(false)) return s.fail("ffmpeg has failed");
  if (std::rename(s.temporary.c_str(), s.path.c_str()) != 0)
    return s.fail(std::string("cannot be put in its place: ") + std::strerror(errno));
  return {};
}

}  // namespace sinew
