out vec4 result;
void main() { result = dithered(backdrop()); }
