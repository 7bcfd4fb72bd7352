// The same bodies in Jolt, as npm has it for WebAssembly: its iterations are substeps. One thread.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

// folder: where jolt-physics is installed. Nothing if it is not.
export async function loadJolt(folder) {
  try {
    const file = createRequire(`${folder}/`).resolve('jolt-physics/wasm-compat');
    return await (await import(pathToFileURL(file))).default();
  } catch {
    return null;
  }
}

function world(Jolt) {
  const settings = new Jolt.JoltSettings(), layers = 1;
  settings.mMaxWorkerThreads = 0;
  const pairs = new Jolt.ObjectLayerPairFilterTable(layers), broad = new Jolt.BroadPhaseLayerInterfaceTable(layers, 1);
  broad.MapObjectToBroadPhaseLayer(0, new Jolt.BroadPhaseLayer(0));
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = broad;
  settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(broad, 1, pairs, layers);
  return new Jolt.JoltInterface(settings);
}

// Of a body of literal.mjs: the same particles, masses, edges and volumes. Answers a function that runs a frame.
export function joltBody(Jolt, body) {
  const shared = new Jolt.SoftBodySharedSettings(), vertex = new Jolt.SoftBodySharedSettingsVertex();
  for (let i = 0; i < body.inverseMasses.length; i++) {
    vertex.mPosition = new Jolt.Float3(body.positions[3 * i], body.positions[3 * i + 1], body.positions[3 * i + 2]);
    vertex.mInvMass = body.inverseMasses[i];
    shared.mVertices.push_back(vertex);
  }
  for (let i = 0; i < body.lengths.length; i++)
    shared.mEdgeConstraints.push_back(new Jolt.SoftBodySharedSettingsEdge(body.edges[2 * i], body.edges[2 * i + 1], 0));
  for (let i = 0; i < body.volumes.length; i++)
    shared.mVolumeConstraints.push_back(new Jolt.SoftBodySharedSettingsVolume(...body.tetrahedra.slice(4 * i, 4 * i + 4), 0));
  shared.CalculateEdgeLengths();
  shared.CalculateVolumeConstraintVolumes();
  shared.Optimize();
  const creation = new Jolt.SoftBodyCreationSettings(shared, new Jolt.RVec3(0, 0, 0), new Jolt.Quat(0, 0, 0, 1), 0);
  creation.mNumIterations = 10;
  creation.mLinearDamping = 0;
  creation.mUpdatePosition = false;
  creation.mAllowSleeping = false;
  const engine = world(Jolt), bodies = engine.GetPhysicsSystem().GetBodyInterface();
  bodies.CreateAndAddSoftBody(creation, Jolt.EActivation_Activate);
  return () => engine.Step(1 / 60, 1);
}
