// How solvers are measured against each other (sinew/compare.h). Every solver starts the first step from one state,
// with one problem: the same held vertices, the same inertial target, the same objective.
//
// Milliseconds. Measuring disturbs: an evaluation of the objective costs some sweeps and empties the caches of what
// the solver works on. So the step is taken several times from the same state. In the timed runs nothing is evaluated
// and nobody looks but a clock, read before each iteration; the first of them also warms the memory up, and the fastest
// counts as a whole, so that its times belong together. The observed run repeats the same iterations -- the same bits,
// since no result depends on who watches or how fast it went -- with an evaluation after each. Counted is what a step
// costs in solver and accelerator; not counted are the making of layouts (once per scene: setup_milliseconds), the
// prediction and the loading of the iterate, which are alike for all.
//
// A budget of time ends the timed run as it would end a step: the iteration in which it runs out is completed.
//
// Reference. Newton in double precision, until the residual is 1e-12 of the first one or of the external forces, or
// what the rounding of the coordinates leaves: eps |x| times the stiffness around each vertex.
#pragma once

#include "model/model.h"

namespace sinew {

// [N] The 2-norm of the forces out of balance that remain when every coordinate is only known to its last digit:
// eps max|x| sqrt(sum_v (m_v/h^2 + sum_e V (2 mu + lambda) |g_v|^2)^2). `inverse_h2` is 0 in quasistatics.
double residual_from_rounding(const Model& model, double inverse_h2);

}  // namespace sinew
