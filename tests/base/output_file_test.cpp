#include "base/files/output_file.h"

#include "support/files.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <locale>
#include <string>
#include <vector>

using namespace pliant;
namespace fs = std::filesystem;

TEST_CASE("a file appears under its name only when it is complete") {
    const test::Directory directory("output_file");
    const fs::path file = directory.path / "a.txt";
    {
        OutputFile out(file);
        out.write("one");
        CHECK(directory.files() == std::vector<std::string>{"a.txt.partial"});
        out.print(" {} {}", 0.1f, 1e-9);
        REQUIRE(out.commit());
    }
    CHECK(directory.files() == std::vector<std::string>{"a.txt"});
    CHECK(test::content(file) == "one 0.1 1e-09");

    {
        OutputFile out(file);
        out.write("never completed");
    }
    CHECK(directory.files() == std::vector<std::string>{"a.txt"});
    CHECK(test::content(file) == "one 0.1 1e-09");
}

TEST_CASE("what is written is what was given, at any size and in any locale") {
    struct Comma : std::numpunct<char> {
        char do_decimal_point() const override { return ','; }
        char do_thousands_sep() const override { return '.'; }
        std::string do_grouping() const override { return "\3"; }
    };
    const test::Directory directory("output_file");
    const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
    std::string expected;
    OutputFile out(directory.path / "a");
    for (int i = 0; i < 30000; ++i) {
        out.print("{} {}\n", i, 1234.5);
        expected += std::to_string(i) + " 1234.5\n";
    }
    const std::vector<unsigned char> bytes{0, 255, 10, 13};
    out.write_array(std::span(bytes));
    out.write(bytes_of(std::uint32_t{0x01020304}));
    REQUIRE(out.commit());
    std::locale::global(before);
    expected += std::string("\0\xff\n\r\4\3\2\1", 8);
    CHECK(test::content(directory.path / "a") == expected);
}

TEST_CASE("what cannot be written is an error that names the file and leaves nothing") {
    const test::Directory directory("output_file");
    const auto message = [&](const char* name) {
        OutputFile out(directory.path / name);
        out.write(std::string(200000, 'x'));
        const Status status = out.commit();
        REQUIRE(!status);
        CHECK(status.error().path == (directory.path / name).string());
        return status.error().message;
    };
    CHECK(message("missing/a") == "cannot be written: No such file or directory");
    fs::create_directory(directory.path / "taken");
    CHECK(message("taken") == "cannot be written: it exists and is not a regular file");
    fs::create_symlink("/dev/null", directory.path / "device");
    CHECK(message("device") == "cannot be written: it exists and is not a regular file");
    CHECK(directory.files() == std::vector<std::string>{"device", "taken"});
}

#ifndef __EMSCRIPTEN__
TEST_CASE("a full disk is noticed, whether early or late") {
    const test::Directory directory("output_file");
    for (const std::size_t size : {std::size_t{1}, std::size_t{300000}}) {
        fs::create_symlink("/dev/full", directory.path / "a.partial");
        OutputFile out(directory.path / "a");
        out.write(std::string(size, 'x'));
        const Status status = out.commit();
        REQUIRE(!status);
        CHECK(status.error().message == "cannot be written: No space left on device");
        CHECK(directory.files().empty());
    }
    const test::SmallDisk disk(100000);
    OutputFile out(directory.path / "a");
    for (int i = 0; i < 300; ++i) out.write(std::string(1000, 'x'));
    const Status status = out.commit();
    REQUIRE(!status);
    CHECK(status.error().message == "cannot be written: File too large");
    CHECK(directory.files().empty());
}
#endif
