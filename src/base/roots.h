#pragma once

namespace pliant {

// a^(1/n) for a in [0, 1]. The C library's pow differs between platforms in the last bit; this does not.
inline double nth_root(double a, int n) {
    if (a <= 0) return 0;
    if (n == 1 || a == 1) return a;
    // Newton's method from above falls until rounding stops it.
    double x = 1;
    while (true) {
        double power = 1;
        for (int i = 0; i < n - 1; ++i) power *= x;
        const double next = x - (x - a / power) / n;
        if (!(next < x)) return x;
        x = next;
    }
}

// PBD's softness per iteration, so that n iterations together leave the share 1 − k of an error.
inline double share_per_part(double k, int n) { return 1 - nth_root(1 - k, n); }

}  // namespace pliant
