// Checks of MesherSettings.
#pragma once

#include "base/result.h"
#include "sinew/mesher.h"

namespace sinew {

// Errors name the key.
Status check_settings(const MesherSettings& settings);

}  // namespace sinew
