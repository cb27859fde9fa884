// Both ways in which a long operation is ended (sinew/progress.h): a listener that returns false, and an interrupt.
#pragma once

#include <atomic>

#include "base/progress.h"
#include "sinew/progress.h"

namespace sinew {

class Watching {
 public:
  explicit Watching(const std::atomic<bool>* interrupt) : interrupt_(interrupt) {}

  bool stopped() const { return ended_ || (interrupt_ && interrupt_->load()); }
  // Once a listener has ended it, nobody is told of anything. Returns whether to go on.
  template <class Event>
  bool tell(const Listener<Event>& listener, const Event& event) {
    if (!ended_ && !listener(event)) ended_ = true;
    return !stopped();
  }
  // For the rooms below. The watching and the listener must outlive it.
  ProgressListener progress(const Listener<Progress>& listener) {
    return [this, &listener](const char* what, double share) { return tell(listener, Progress{what, share}); };
  }

 private:
  const std::atomic<bool>* interrupt_;
  bool ended_ = false;  // by a listener
};

}  // namespace sinew
