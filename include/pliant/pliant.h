// All of Pliant's public interface.
#pragma once

#include <pliant/catalog.h>
#include <pliant/description.h>
#include <pliant/error.h>
#include <pliant/mesh.h>
#include <pliant/simulation.h>
#include <pliant/vector.h>
#include <pliant/version.h>
#include <pliant/view.h>
