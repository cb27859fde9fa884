"""scripts/check-kernels: which lines of nm name a symbol that code for older processors could share."""

import importlib.machinery
import importlib.util
import os
import unittest

PATH = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "check-kernels")
loader = importlib.machinery.SourceFileLoader("check_kernels", PATH)
check_kernels = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_kernels", loader))
loader.exec_module(check_kernels)


class SharedSymbols(unittest.TestCase):
    def test_strong_and_own_width_are_fine(self):
        lines = ["0000000000000000 T sinew::kernels_8()",
                 "0000000000000000 W void sinew::sweep<sinew::Lane<float __vector(8)> >(int)",
                 "0000000000000000 W double __vector(4) sinew::energy<double __vector(4)>(int)",
                 "0000000000000000 W void sinew::vertex_entry<double, 4>(long)",
                 "0000000000000000 r .LC0",
                 "                 U memcpy"]
        self.assertEqual(check_kernels.shared_symbols(lines, 256), [])

    def test_weak_without_a_vector_is_shared(self):
        lines = ["0000000000000000 W std::vector<int, std::allocator<int> >::~vector()",
                 "0000000000000000 V typeinfo for sinew::Thing",
                 "0000000000000000 u sinew::table"]
        self.assertEqual(len(check_kernels.shared_symbols(lines, 256)), 3)

    def test_another_width_is_shared(self):
        lines = ["0000000000000000 W void sinew::sweep<sinew::Lane<float __vector(8)> >(int)",
                 "0000000000000000 W void sinew::vertex_entry<float, 4>(long)"]
        self.assertEqual(len(check_kernels.shared_symbols(lines, 512)), 2)


if __name__ == "__main__":
    unittest.main()
