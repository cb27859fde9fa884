// What contacts (contact/contact.h) add to a vertex sweep. Each vertex of a contact is an *end* of it. Contacts are
// found before a sweep, and serve for a few while little moves; for a colour, the ends at its vertices are summed up
// before any of them moves, and the vertex kernel loads the sums where its batch has any. Vertices of one colour that
// share a contact see each other's old positions.
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
#include "solver/by_vertex/contact_hold.h"
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
  // lanes: of the batches that `has` tells of.
  void begin_step(const StepProblem& problem, int lanes, const ContactSweep& sweep);
  bool any() const { return problem_ && problem_->contacts; }
  bool empty() const { return end_contacts_.empty(); }

  // Finds the contacts at the positions x + base [m]; base may be empty. Without the guarantee of no intersections
  // among what was near when the stepper looked last, which it does once in a few iterations. Unless they are to be
  // found anew, contacts that were found in one of the last few sweeps are kept as long as their ends have hardly
  // moved: closest points and directions are then those that they had there, distances and slips are of now. Returns
  // whether they are others.
  bool find(const Buffer<Vec4<Real>>& x, const Buffer<Vec4<Real>>& base, ThreadPool& pool, bool anew);
  std::span<const Contact> contacts() const { return contacts_; }
  // Marks, by slot, the vertices of contacts that act.
  void mark(std::span<uint8_t> collided) const;
  // What has moved so far is what other clusters see in this phase.
  void begin_phase();

  // Of each batch: whether it has a vertex of a contact.
  std::span<const uint8_t> has() const { return has_; }
  // Gives turns to what shares a contact and a colour; color_begin: the first slot of each colour, and the end.
  void take_turns(std::span<const int32_t> color_begin);
  // The vertices of a colour that wait, by turn, then by slot.
  struct Waiting {
    int32_t turn, slot;

    auto operator<=>(const Waiting&) const = default;
  };
  std::span<const Waiting> waiting(int32_t color) const;
  // Writes the sums of one colour for all batches that have any; by threads of the pool, unless it is null.
  void add(const Kernels& kernels, const VertexSweep<Real>& sweep, int32_t first_slot, int32_t last_slot,
           ThreadPool* pool) const;
  // To be told once some vertices of the sweep have moved in place.
  void note_moved(const VertexSweep<Real>& sweep, int32_t first_slot, int32_t last_slot);

  // The vertices of contacts, ascending: slots()[k] is place k. Contacts have rows_of_contact rows, all else is one a
  // contact or an end, as ContactEnds has it.
  struct Lists {
    std::span<const int32_t> slots;
    std::span<const Vec4<Real>> rows, found_at, ways;
    std::span<const std::array<int32_t, 4>> places;
    std::span<const int32_t> begin, contacts;
    std::span<const Real> weights, sizes;
  };
  Lists lists() const {
    return {involved_, rows_, found_at_, ways_, places_, end_of_, end_contacts_, end_weights_, end_sizes_};
  }
  struct Range {
    int32_t first, last;
  };
  Range places_of(int64_t first_slot, int64_t last_slot) const;
  size_t memory_bytes() const {
    return (end_weights_.capacity() + end_sizes_.capacity()) * sizeof(Real) + has_.capacity() +
           contacts_.capacity() * sizeof(Contact) +
           (rows_.capacity() + found_at_.capacity() + ways_.capacity() + ways_elsewhere_.capacity()) *
               sizeof(Vec4<Real>) +
           places_.capacity() * sizeof(places_[0]) + (where_.capacity() + where_near_.capacity()) * sizeof(Vec3d) +
           (end_slots_.capacity() + end_contacts_.capacity() + end_of_.capacity() + involved_.capacity() +
            place_of_.capacity() + turn_of_.capacity() + waiting_begin_.capacity()) *
               sizeof(int32_t) +
           hold_.memory_bytes() + moments_.capacity() * sizeof(Moment) + waiting_.capacity() * sizeof(Waiting);
  }

 private:
  bool find_contacts(const Buffer<Vec4<Real>>& x, const Buffer<Vec4<Real>>& base, ThreadPool& pool, bool anew);
  void find_involved(const Buffer<Vec4<Real>>& x);
  void sort_ends();
  // When a vertex moves in a sweep.
  struct Moment {
    int32_t color, cluster, phase;
  };
  void find_moments();
  bool move_at_once(const Moment& a, const Moment& b) const;

  const StepProblem* problem_ = nullptr;
  int lanes_ = 1;
  std::vector<Vec3d> where_, where_near_;  // [m] by slot, and by near slot
  std::vector<Contact> contacts_;
  // As ContactEnds has them.
  Buffer<Vec4<Real>> rows_;
  std::vector<std::array<int32_t, 4>> places_;
  std::vector<int32_t> end_slots_, end_contacts_, end_of_, next_end_;
  std::vector<Real> end_weights_, end_sizes_;
  std::vector<int32_t> involved_;
  Buffer<Vec4<Real>> ways_, ways_elsewhere_;
  std::vector<int32_t> place_of_;  // of each slot; -1: none
  std::vector<Moment> moments_;    // of each place
  Buffer<Vec4<Real>> found_at_;    // x of each place when its contacts were found
  std::vector<uint8_t> has_;
  std::vector<int32_t> turn_of_;        // of each place
  std::vector<Waiting> waiting_;        // by colour
  std::vector<int32_t> waiting_begin_;  // the first of each colour; empty: nothing waits
  ContactHold hold_;
  ContactSweep how_;
  bool in_phases_ = false;
};

extern template class VertexContacts<float>;
extern template class VertexContacts<double>;

}  // namespace sinew
