"""Quadrotor body: parameter sets, velocity loop, rigid-body dynamics and the engines that move it."""
