// ---- Programs, buffers and the shadow map ----------------------------------------------------------
const gl = canvas.getContext('webgl2', {antialias: true, alpha: false});
if (!gl) find('caption').textContent = 'This page needs WebGL 2, which this browser does not offer.';

const source = (...names) => names.map(name => find(name).textContent.trim()).join('\n');
function program(vertex, fragment) {
  const made = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text); gl.compileShader(shader); gl.attachShader(made, shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw Error(gl.getShaderInfoLog(shader));
  }
  gl.linkProgram(made);
  const places = {};
  return {
    use(values) {
      gl.useProgram(made);
      for (const [name, value] of Object.entries(values)) {
        const at = places[name] ??= gl.getUniformLocation(made, name);
        if (value.length === 16) gl.uniformMatrix4fv(at, false, value);
        else if (value.length === 32) gl.uniform4fv(at, value);
        else if (value.length) gl['uniform' + value.length + 'fv'](at, value);
        else if (name === 'depths' || name === 'shades') gl.uniform1i(at, value);
        else gl.uniform1f(at, value);
      }
    }
  };
}
const bodyVertex = source('common', 'body_vertex');
const bodyProgram = program(bodyVertex, source('common', 'helpers', 'body_fragment'));
const groundProgram = program(source('common', 'ground_vertex'), source('common', 'helpers', 'ground_fragment'));
const skyProgram = program(source('common', 'sky_vertex'), source('common', 'helpers', 'sky_fragment'));
const shadowProgram = program(bodyVertex, source('shadow_fragment'));

const buffer = (data, target = gl.ARRAY_BUFFER, usage = gl.STATIC_DRAW) => {
  const made = gl.createBuffer();
  gl.bindBuffer(target, made); gl.bufferData(target, data, usage);
  return made;
};
const changing = data => buffer(data, gl.ARRAY_BUFFER, gl.DYNAMIC_DRAW);
function update(target, data) { gl.bindBuffer(gl.ARRAY_BUFFER, target); gl.bufferSubData(gl.ARRAY_BUFFER, 0, data); }
function attribute(place, from, divisor = 0, offset = 0) {
  gl.bindBuffer(gl.ARRAY_BUFFER, from); gl.enableVertexAttribArray(place);
  gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 0, offset); gl.vertexAttribDivisor(place, divisor);
}
function mesh(points, directions, elements) {
  const vao = gl.createVertexArray();
  gl.bindVertexArray(vao); attribute(0, points); attribute(1, directions);
  buffer(elements, gl.ELEMENT_ARRAY_BUFFER);
  gl.bindVertexArray(null);
  return {vao, count: elements.length};
}
const corners = buffer(new Float32Array([-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0]));
const quad = mesh(corners, corners, new Uint32Array([0, 1, 2, 2, 1, 3]));

// The shadow map, read as depths and as comparisons.
const shadowSize = 2048, shadowMap = gl.createTexture(), shadowFrame = gl.createFramebuffer();
gl.bindTexture(gl.TEXTURE_2D, shadowMap);
gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, shadowSize, shadowSize);
gl.bindFramebuffer(gl.FRAMEBUFFER, shadowFrame);
gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, shadowMap, 0);
for (const number of [0, 1]) {
  const sampler = gl.createSampler(), filter = number ? gl.LINEAR : gl.NEAREST;
  const set = (name, value) => gl.samplerParameteri(sampler, name, value);
  set(gl.TEXTURE_MIN_FILTER, filter); set(gl.TEXTURE_MAG_FILTER, filter);
  set(gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE); set(gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  if (number) set(gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
  gl.activeTexture(gl.TEXTURE0 + number); gl.bindTexture(gl.TEXTURE_2D, shadowMap); gl.bindSampler(number, sampler);
}
