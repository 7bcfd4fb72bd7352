// Errors: where a mistake is, and the right value. The library never throws and never prints.
#pragma once

#include <pliant/assertions.h>

#include <cstddef>
#include <string>
#include <utility>
#include <variant>

namespace pliant {

struct Error {
    std::string path;     // e.g. "/bodies/2/shape/material/edges/compliance"
    std::string message;  // e.g. "must be ≥ 0, got -1"

    std::string text() const { return path.empty() ? message : path + ": " + message; }
};

// Either a value or an Error.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

    explicit operator bool() const { return content_.index() == 0; }
    // Reading the one that is not there is a mistake of the caller: it asserts.
    T& operator*() { return *get<0>(content_); }
    const T& operator*() const { return *get<0>(content_); }
    T* operator->() { return get<0>(content_); }
    const T* operator->() const { return get<0>(content_); }
    const Error& error() const { return *get<1>(content_); }

private:
    template <std::size_t I, class Content>
    static auto* get(Content& content) {
        PLIANT_ASSERT(content.index() == I);
        return std::get_if<I>(&content);
    }

    std::variant<T, Error> content_;
};

// Success, or an Error. Calls that change a running simulation return it.
class [[nodiscard]] Status {
public:
    Status() = default;
    Status(Error error) : error_(std::move(error)), failed_(true) {}

    explicit operator bool() const { return !failed_; }
    const Error& error() const { return error_; }

private:
    Error error_;
    bool failed_ = false;
};

}  // namespace pliant
