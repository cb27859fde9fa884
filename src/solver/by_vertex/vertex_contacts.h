// What contacts (contact/contact.h) add to a vertex sweep. Each vertex of a contact is an *end* of it. Contacts are
// found before each sweep; for a colour, the ends at its vertices are summed up before any of them moves, and the
// vertex kernel loads the sums where its batch has any. Vertices of one colour that share a contact see each other's
// old positions.
//
// Unless they are recoloured (Chen et al. 2023, PBNG, section 9.1): a vertex then waits for those of its colour with
// which it shares a contact and which have a smaller slot. It gets a *turn*, the least that none of them has; turn 0
// moves with the colour, and each later one sees where the earlier have gone. Within a colour no element is shared, so
// turns are colours of their own that come right after it. What is left of them when a contact is gone is nothing.
//
// Contacts join any two clusters. A vertex of another cluster is read where it was when the phase began, for another
// thread may be moving it.
//
// The stiffness of a vertex is |s| sum |s_j| times that of the contact, over the vertices j of it that move at once
// with this one, as for grabs (vertex_grabs.h): each would otherwise undo the whole fault, and together they would
// overshoot. Penalties may be shared: their stiffness is not made for the bodies, and the sum is then over all vertices
// of the contact. That is slow where a stiff penalty carries a heavy body, but throws nothing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/contacts.h"
#include "model/step_problem.h"
#include "solver/sweep.h"

namespace sinew {

// How vertices that share a contact move.
struct ContactSweep {
  bool at_once = false;           // all vertices do, whatever their colours
  bool recolored = false;         // what take_turns says is followed
  bool shares_penalties = false;  // all vertices of a penalty count as if they moved at once
};

template <class Real>
class VertexContacts {
 public:
  void begin_step(const StepProblem& problem, int lanes, const ContactSweep& sweep);
  bool any() const { return problem_ && problem_->contacts; }
  bool empty() const { return ends_.empty(); }

  // Finds the contacts at the positions x + base [m]; base may be empty. Without the guarantee of no intersections
  // among what was near when the stepper looked last, which it does once in a few iterations.
  void find(const Buffer<Vec4<Real>>& x, const Buffer<Vec4<Real>>& base, ThreadPool& pool);
  std::span<const Contact> contacts() const { return contacts_; }
  // Marks, by slot, the vertices of contacts that act.
  void mark(std::span<uint8_t> collided) const;
  // Where the vertices of contacts are as a phase of clusters begins.
  void begin_phase(const Buffer<Vec4<Real>>& x);

  // Of each batch: whether it has a vertex of a contact.
  const uint8_t* has() const { return has_.data(); }
  // Gives turns to what shares a contact and a colour; color_begin: the first slot of each colour, and the end.
  void take_turns(std::span<const int32_t> color_begin);
  // The vertices of a colour that wait, by turn, then by slot.
  struct Waiting {
    int32_t turn, slot;

    auto operator<=>(const Waiting&) const = default;
  };
  std::span<const Waiting> waiting(int32_t color) const;
  // Writes the sums of one colour for all batches that have any; by threads of the pool, unless it is null.
  void add(const VertexSweep<Real>& sweep, int32_t first_slot, int32_t last_slot, ThreadPool* pool) const;
  size_t memory_bytes() const {
    return ends_.capacity() * sizeof(End) + has_.capacity() + numbers_.capacity() * sizeof(Numbers) +
           contacts_.capacity() * sizeof(Contact) + where_.capacity() * sizeof(Vec3d) +
           (end_of_.capacity() + turn_of_.capacity() + waiting_begin_.capacity()) * sizeof(int32_t) +
           waiting_.capacity() * sizeof(Waiting);
  }

 private:
  struct End {
    int32_t slot, contact;
    Real weight, size;  // s_j, and what its square is replaced by
  };
  // A contact in the precision of the sweep, with its places.
  struct Numbers {
    ContactNumbers<Real> numbers;
    std::array<int32_t, 4> places;  // in involved_; -1: none
  };
  void find_contacts(const Buffer<Vec4<Real>>& x, const Buffer<Vec4<Real>>& base, ThreadPool& pool);
  // When a vertex moves in a sweep.
  struct Moment {
    int32_t slot, color, cluster, phase;
  };
  Moment moment_of(int32_t slot) const;
  bool move_at_once(const Moment& a, const Moment& b) const;
  void add_slot(const VertexSweep<Real>& sweep, size_t first_end, size_t last_end) const;

  const StepProblem* problem_ = nullptr;
  int lanes_ = 1;
  std::vector<Vec3d> where_;  // [m] by slot; only what is near is up to date
  std::vector<Contact> contacts_;
  std::vector<Numbers> numbers_;
  std::vector<End> ends_;          // by slot, then by contact
  std::vector<int32_t> end_of_;    // first end of each involved slot
  std::vector<int32_t> involved_;  // slots, ascending
  std::vector<int32_t> place_of_;  // of each slot in involved_; -1
  Buffer<Vec4<Real>> found_at_;    // x of each involved slot when its contacts were found
  Buffer<Vec4<Real>> phase_;       // and when the phase began
  std::vector<uint8_t> has_;
  std::vector<int32_t> turn_of_;        // of each involved slot
  std::vector<Waiting> waiting_;        // by colour
  std::vector<int32_t> waiting_begin_;  // the first of each colour; empty: nothing waits
  ContactSweep how_;
  bool in_phases_ = false;
};

extern template class VertexContacts<float>;
extern template class VertexContacts<double>;

}  // namespace sinew
