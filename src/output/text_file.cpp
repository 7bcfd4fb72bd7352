#include "output/text_file.h"

#include "base/output_file.h"

namespace pliant::output {

Status write_text_file(const std::filesystem::path& file, std::string_view text) {
    OutputFile out(file);
    out.write(text);
    return out.commit();
}

}  // namespace pliant::output
