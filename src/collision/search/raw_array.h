// Memory for plain numbers that is not written before it is used.
#pragma once

#include <cstddef>
#include <memory>

namespace pliant::collision {

template <class T>
class RawArray {
public:
    RawArray() = default;
    explicit RawArray(std::size_t count) : data_(new T[count]) {}

    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }
    T* data() { return data_.get(); }
    const T* data() const { return data_.get(); }

private:
    std::unique_ptr<T[]> data_;
};

}  // namespace pliant::collision
