/* A small deterministic random generator (xoshiro256**, seeded through splitmix64; Blackman and Vigna 2018). */
#ifndef STROP_SUPPORT_RNG_H
#define STROP_SUPPORT_RNG_H

#include <stdint.h>

struct rng {
	uint64_t state[4];
};

void rng_seed(struct rng *rng, uint64_t seed);
uint64_t rng_next(struct rng *rng);
/* A uniform integer in [0, n), n > 0. */
uint64_t rng_below(struct rng *rng, uint64_t n);
/* A uniform double in [0, 1). */
double rng_uniform(struct rng *rng);
/* A standard normal variate (Box-Muller). */
double rng_normal(struct rng *rng);
/* A seed that depends on "seed" and "name" only: one stream per purpose. */
uint64_t rng_derive(uint64_t seed, const char *name);
/* A seed from the system's entropy. */
uint64_t rng_entropy(void);

#endif
