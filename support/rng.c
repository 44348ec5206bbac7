#include "rng.h"

#include <math.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

static uint64_t splitmix(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static uint64_t rotate(uint64_t x, int by)
{
	return (x << by) | (x >> (64 - by));
}

void rng_seed(struct rng *rng, uint64_t seed)
{
	int i;

	for (i = 0; i < 4; i++)
		rng->state[i] = splitmix(&seed);
}

uint64_t rng_next(struct rng *rng)
{
	uint64_t *s = rng->state;
	uint64_t result = rotate(s[1] * 5, 7) * 9, shifted = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= shifted;
	s[3] = rotate(s[3], 45);
	return result;
}

uint64_t rng_below(struct rng *rng, uint64_t n)
{
	return (uint64_t)(((unsigned __int128)rng_next(rng) * n) >> 64);
}

double rng_uniform(struct rng *rng)
{
	return (double)(rng_next(rng) >> 11) * 0x1p-53;
}

double rng_normal(struct rng *rng)
{
	double radius = sqrt(-2.0 * log(1.0 - rng_uniform(rng)));

	return radius * cos(6.283185307179586 * rng_uniform(rng));
}

uint64_t rng_derive(uint64_t seed, const char *name)
{
	uint64_t state = seed ^ 0x6a09e667f3bcc909u;

	for (; *name; name++)
		state = (state ^ (unsigned char)*name) * 0x100000001b3u;
	return splitmix(&state);
}

uint64_t rng_entropy(void)
{
	struct timespec now;
	uint64_t seed;

	if (getrandom(&seed, sizeof(seed), 0) == sizeof(seed))
		return seed;
	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_nsec ^ ((uint64_t)now.tv_sec << 30);
}
