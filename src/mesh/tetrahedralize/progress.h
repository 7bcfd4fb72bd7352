// Tells the caller how far a longer computation is, and whether to go on.
#pragma once

#include <functional>
#include <string_view>

namespace pliant::mesh {

class Progress {
public:
    using Call = std::function<bool(double share, std::string_view stage)>;

    explicit Progress(const Call& call) : call_(call) {}

    // From now on stages are shares of a part of the whole.
    void part(double from, double to) {
        part_from_ = from;
        part_to_ = to;
    }
    // A stage that takes the part's shares from … to.
    void stage(std::string_view name, double from, double to) {
        stage_ = name;
        from_ = part_from_ + (part_to_ - part_from_) * from;
        to_ = part_from_ + (part_to_ - part_from_) * to;
        at(0);
    }
    // Within the stage. False, then and ever after: stop.
    bool at(double share) {
        if (going_on_ && call_) going_on_ = call_(from_ + (to_ - from_) * share, stage_);
        return going_on_;
    }
    bool stopped() const { return !going_on_; }

private:
    const Call& call_;
    std::string_view stage_;
    double part_from_ = 0, part_to_ = 1;
    double from_ = 0, to_ = 1;
    bool going_on_ = true;
};

}  // namespace pliant::mesh
