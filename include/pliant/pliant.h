// All of Pliant's public interface.
#pragma once

#include <pliant/bounds.h>
#include <pliant/catalog.h>
#include <pliant/collider_mesh.h>
#include <pliant/description.h>
#include <pliant/embedding.h>
#include <pliant/error.h>
#include <pliant/mesh.h>
#include <pliant/mesh_io.h>
#include <pliant/mesh_report.h>
#include <pliant/neighbours.h>
#include <pliant/panels.h>
#include <pliant/presets.h>
#include <pliant/scene.h>
#include <pliant/shapes.h>
#include <pliant/simulation.h>
#include <pliant/tetrahedralize.h>
#include <pliant/vector.h>
#include <pliant/version.h>
#include <pliant/view.h>
