// What bodies, ground and sky look like.
import * as THREE from 'three';
import type { Item } from './protocol';

export interface Theme {
  dark: boolean;
  backdrop: THREE.Color;
  ground: THREE.Texture;
  environment: THREE.Texture;
}

// A sky that is bright above, with a window to the left and one behind: what glossy things mirror.
function skyTexture(dark: boolean): THREE.DataTexture {
  const width = 64, height = 32, data = new Float32Array(4 * width * height);
  const strength = dark ? 0.45 : 1;
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const up = row / (height - 1), around = column / width; // up: 0 below, 1 above
      const soft = (low: number, high: number, x: number) => Math.max(0, Math.min(1, Math.min(x - low, high - x) * 24));
      const window = Math.max(soft(0.1, 0.24, around) * soft(0.55, 0.85, up), soft(0.62, 0.72, around) * soft(0.6, 0.8, up));
      const light = strength * (0.22 + 0.75 * up * up) + 5 * window;
      data.set([light * 0.97, light, light * 1.05, 1], 4 * (row * width + column));
    }
  }
  const texture = new THREE.DataTexture(data, width, height, THREE.RGBAFormat, THREE.FloatType);
  texture.mapping = THREE.EquirectangularReflectionMapping;
  texture.needsUpdate = true;
  return texture;
}

function gridTexture(line: string, fill: string): THREE.Texture {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 256;
  const context = canvas.getContext('2d')!;
  context.fillStyle = fill;
  context.fillRect(0, 0, 256, 256);
  context.strokeStyle = line;
  for (let i = 0; i <= 5; i++) {
    context.lineWidth = i % 5 === 0 ? 4 : 1;
    context.beginPath();
    context.moveTo((i * 256) / 5, 0);
    context.lineTo((i * 256) / 5, 256);
    context.moveTo(0, (i * 256) / 5);
    context.lineTo(256, (i * 256) / 5);
    context.stroke();
  }
  const texture = new THREE.CanvasTexture(canvas);
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.anisotropy = 8;
  texture.colorSpace = THREE.SRGBColorSpace;
  return texture;
}

export function makeTheme(dark: boolean, renderer: THREE.WebGLRenderer): Theme {
  const generator = new THREE.PMREMGenerator(renderer), sky = skyTexture(dark);
  const environment = generator.fromEquirectangular(sky).texture;
  generator.dispose();
  sky.dispose();
  return {
    dark, environment, backdrop: new THREE.Color(dark ? 0x12171d : 0xdfe7ee),
    ground: dark ? gridTexture('#2b3641', '#1a2129') : gridTexture('#b4c0cb', '#cfd8e0'),
  };
}

// Light that enters jelly comes out again elsewhere: against the sun, and at edges, where it is thin.
const translucency = `
#include <lights_fragment_end>
{
  vec3 eye = normalize( vViewPosition ), outward = normalize( normal );
  float thin = pow( 1.0 - abs( dot( outward, eye ) ), 2.0 );
  float against = 0.0, wrapped = 0.0;
  #if NUM_DIR_LIGHTS > 0
    vec3 sun = directionalLights[ 0 ].direction;
    against = pow( saturate( dot( eye, - normalize( sun + 0.35 * outward ) ) ), 3.0 );
    wrapped = 0.5 + 0.5 * dot( outward, sun );
  #endif
  vec3 inner = pow( diffuseColor.rgb, vec3( 0.8 ) );
  reflectedLight.indirectDiffuse += inner * ( 0.03 + 0.10 * wrapped + 0.16 * thin + 0.5 * against );
}`;

// Normals are smooth across edges, so at an outline some turn away from the eye: there, all would be a mirror of what is
// below, and black. They are turned back until they are just seen.
const outline = `
#include <normal_fragment_begin>
{
  vec3 eye = normalize( vViewPosition );
  normal = normalize( normal + max( 0.0, 0.12 - dot( normal, eye ) ) * eye );
  nonPerturbedNormal = normal;
}`;

export function materialOf(item: Item, colored: boolean): THREE.Material {
  const color = new THREE.Color().setRGB(...item.color, THREE.SRGBColorSpace);
  const common = { color: colored ? 0xffffff : color, vertexColors: colored, flatShading: item.faceted ?? false };
  if (item.finish === 'jelly') {
    const jelly = new THREE.MeshPhysicalMaterial({
      ...common, roughness: 0.3, clearcoat: 1, clearcoatRoughness: 0.12, transparent: true, opacity: colored ? 1 : 0.86,
    });
    jelly.onBeforeCompile = (shader) => {
      shader.fragmentShader = shader.fragmentShader.replace('#include <normal_fragment_begin>', outline);
      if (!colored) shader.fragmentShader = shader.fragmentShader.replace('#include <lights_fragment_end>', translucency);
    };
    jelly.customProgramCacheKey = () => (colored ? 'jelly, coloured' : 'jelly');
    return jelly;
  }
  return new THREE.MeshStandardMaterial({
    ...common, roughness: item.finish === 'cloth' ? 0.8 : 0.5, side: item.finish === 'cloth' ? THREE.DoubleSide : THREE.FrontSide,
  });
}
