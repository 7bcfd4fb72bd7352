out vec4 result;
void main() { result = vec4(backdrop(), 1); }
