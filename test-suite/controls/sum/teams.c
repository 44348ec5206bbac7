/* What the search for races cannot follow is not taken for checked.
 * fp: reassoc; flags: -O2 -fopenmp; verdict: different|untestable|nondeterministic */
double f(const double *x, int n)
{
	double s = 0;
#pragma omp teams num_teams(2) reduction(+ : s)
#pragma omp distribute parallel for reduction(+ : s)
	for (int i = 0; i < n; i++)
		s += x[i];
	return s;
}
