"""The boids of a Dutch NetLogo chapter: turn caps, a predator, obstacles, edges, wind, leaders and a third dimension.

Source: the course chapter "Verdieping: Boids - Collectief gedrag in zwermen", after Wilensky's NetLogo Flocking model.
"""
