// Everything: exact probabilities of rows of categorical tables by Discrete Tree Flows.
#pragma once

#include "dtf/error.h"
#include "dtf/fit.h"
#include "dtf/fit_option.h"
#include "dtf/io.h"
#include "dtf/model.h"
#include "dtf/schema.h"
#include "dtf/table.h"
#include "dtf/trees.h"
#include "dtf/version.h"
